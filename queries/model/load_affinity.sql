-- Requests that went elsewhere while their owner was alive, against requests that reached their owner. Losses that a change of the fleet explains do not count.
with changed as (
  select u.unit, u.unit_id
  from load_unit u
  join load_change c on c.hop = u.hop and c.unit = u.unit and c.window_id = u.window_id
  where u.failed = 1
),
arm as (
  select a.hop, 'session' as unit, a.epoch_id as unit_id, a.place, a.failed, a.owner_alive, a.at_ns, a.request_id
  from session_arm a
  where not exists (select 1 from changed c where c.unit = 'session' and c.unit_id = a.epoch_id)
  union all
  select u.hop, u.unit, u.unit_id, case u.place when 'home' then 'home' else 'elsewhere' end as place, u.failed,
    case when l.last_ns > u.at_ns then 1 else 0 end as owner_alive, u.at_ns, u.request_id
  from load_unit u
  join backend_life l on l.hop = u.hop and l.backend = u.owner
  where u.unit = 'resume' and u.backend is not null
    and not exists (select 1 from changed c where c.unit = 'resume' and c.unit_id = u.unit_id)
)
select hop, unit,
  count(*) filter (where place = 'elsewhere' and failed = 1 and owner_alive = 1) as failed_inside,
  count(*) filter (where place = 'elsewhere' and failed = 0) as kept_inside,
  count(*) filter (where place = 'home' and failed = 1) as failed_outside,
  count(*) filter (where place = 'home' and failed = 0) as kept_outside,
  min(case when place = 'elsewhere' and failed = 1 and owner_alive = 1 then at_ns end) as from_ns,
  max(case when place = 'elsewhere' and failed = 1 and owner_alive = 1 then at_ns end) as until_ns
from arm
group by hop, unit
having count(*) filter (where place = 'elsewhere' and failed = 1 and owner_alive = 1) >= 5
  -- State that is shared answers everywhere: then a loss elsewhere is no proof.
  and count(*) filter (where place = 'elsewhere' and failed = 1 and owner_alive = 1) >= count(*) filter (where place = 'elsewhere' and failed = 0)
  and count(*) filter (where place = 'elsewhere' and failed = 1 and owner_alive = 1) >= 4 * count(*) filter (where place = 'home' and failed = 1)
