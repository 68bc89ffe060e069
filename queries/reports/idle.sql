-- Pauses of sessions before they were used again, and whether they were still known then: what an idle limit separates.
with step as (
  select m.epoch_id, m.at_ns, m.is_loss, m.is_ok,
    lag(m.at_ns) over (partition by m.epoch_id order by m.at_ns, m.request_id) as before_ns,
    lag(m.is_loss) over (partition by m.epoch_id order by m.at_ns, m.request_id) as lost_before
  from mention m
)
select (at_ns - before_ns) / 1000000.0 as idle_ms, is_loss as lost
from step
where before_ns is not null and not coalesce(lost_before, false) and (is_loss or is_ok) and at_ns - before_ns >= 1000000000
order by idle_ms, lost
