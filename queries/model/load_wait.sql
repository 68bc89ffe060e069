-- A plateau of waiting before the failure: whoever asked for a dead owner waited for one and the same time-out.
-- One band of waits per hop, a fifth wide, where most failures lie; at least a second and longer than what those who were served waited.
with answered as (
  select distinct hop, backend, at_ns - at_ns % 60000000000 as minute
  from session_step
  where outcome = 'ok' and backend is not null
),
failed as (
  select unit, unit_id, hop, wait_ns, cast(floor(ln(wait_ns) * 1000) as bigint) as wait_log
  from load_unit u
  where failed = 1 and wait_ns >= 1000000000
    -- Without an instance a gateway's time-out may be a slow tool; with one, it is slow when its owner answered others in the next minute.
    and (fate = 'lost' or owner is not null)
    and not exists (select 1 from answered a where a.hop = u.hop and a.backend = u.owner and a.minute = u.at_ns - u.at_ns % 60000000000 + 60000000000)
),
dense as (
  select hop, unit, wait_ns,
    count(*) over (partition by hop, unit order by wait_log range between current row and 200 following) as within
  from failed
),
band as (
  select hop, unit, wait_ns as low_ns, cast(floor(wait_ns * 1.222) as bigint) as high_ns, within from (
    select hop, unit, wait_ns, within, row_number() over (partition by hop, unit order by within desc, wait_ns) as nth from dense) d
  where nth = 1 and within >= 5
),
-- Every session with an answer that took as long and was an answer nevertheless.
survivor as (
  select b.hop, b.unit, count(distinct t.epoch_id) as survivors
  from session_step t
  join band b on b.hop = t.hop
  where t.outcome = 'ok' and t.http_method <> 'GET' and t.waited_ns between b.low_ns and b.high_ns
  group by b.hop, b.unit
),
total as (
  select hop, unit, sum(failed) as failures, count(*) - sum(failed) as kept from load_unit group by hop, unit
)
select b.hop, b.unit, b.low_ns, b.high_ns, b.within as failed_inside, coalesce(s.survivors, 0) as kept_inside,
  t.failures - b.within as failed_outside,
  case when t.kept > coalesce(s.survivors, 0) then t.kept - coalesce(s.survivors, 0) else 0 end as kept_outside
from band b
join total t on t.hop = b.hop and t.unit = b.unit
left join survivor s on s.hop = b.hop and s.unit = b.unit
where 10 * coalesce(s.survivors, 0) <= b.within and 2 * b.within >= t.failures
