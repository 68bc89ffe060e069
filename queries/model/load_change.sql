-- The changes of the fleet that cost sessions or resumes: what kind of change it was follows from what came and what went.
with fleet as (
  select hop, window_id, count(*) filter (where what = 'gone') as gone, count(*) filter (where what = 'new') as fresh,
    min(at_ns) as from_ns, max(at_ns) as to_ns,
    string_agg(case what when 'gone' then backend end, ', ' order by backend) as backends_gone,
    string_agg(case what when 'new' then backend end, ', ' order by backend) as backends_new
  from backend_window
  group by hop, window_id
),
hit as (
  select u.hop, u.unit, u.window_id, sum(u.failed) as failed_inside, count(*) - sum(u.failed) as kept_inside,
    count(*) filter (where u.failed = 1 and b.hop is not null) as waited,
    min(case u.failed when 1 then u.at_ns end) as first_ns, max(case u.failed when 1 then u.at_ns end) as last_ns
  from load_unit u
  left join load_wait b on b.hop = u.hop and b.unit = u.unit and u.wait_ns between b.low_ns and b.high_ns
  where u.window_id is not null
  group by u.hop, u.unit, u.window_id
),
total as (
  select hop, unit, sum(failed) as failures, count(*) as units,
    count(*) filter (where failed = 1 and place = 'elsewhere' and window_id is null) as elsewhere
  from load_unit
  group by hop, unit
)
select h.hop, h.unit, h.window_id,
  case when f.gone > 0 and f.fresh > 0 then 'rolling-deploy' when f.gone > 0 then 'scale-in' else 'scale-out' end as cause,
  case when h.first_ns < f.from_ns then h.first_ns else f.from_ns end as from_ns,
  case when h.last_ns > f.to_ns then h.last_ns else f.to_ns end as until_ns,
  f.backends_gone, f.backends_new, f.gone, f.fresh,
  h.failed_inside, h.kept_inside,
  t.failures - h.failed_inside as failed_outside,
  t.units - t.failures - h.kept_inside as kept_outside
from hit h
join fleet f on f.hop = h.hop and f.window_id = h.window_id
join total t on t.hop = h.hop and t.unit = h.unit
where h.failed_inside >= 5
  and h.failed_inside >= h.kept_inside
  -- One instance that is missing while its callers wait for it is a dead owner, not a planned change.
  and (2 * h.waited < h.failed_inside or (f.gone > 1 and f.fresh > 0))
  -- Where requests strayed before as well, and those of later sessions still do, nothing is the new instance's doing.
  and (f.gone > 0 or h.failed_inside >= 4 * t.elsewhere)
