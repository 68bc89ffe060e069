-- Comings and goings of instances that lie close together are one change of the fleet: a deploy, a scale-in or a scale-out.
with change as (
  select hop, backend, 'gone' as what, last_ns as at_ns from backend_life where vanished
  union all
  select hop, backend, 'new' as what, first_ns as at_ns from backend_life where appeared
),
span as (
  select hop, max(last_ns) - min(first_ns) as span_ns from backend_life group by hop
),
spaced as (
  select c.hop, c.backend, c.what, c.at_ns,
    -- How exactly a change can be dated depends on the traffic: a quarter of an hour, or more in a long capture.
    case when c.at_ns - lag(c.at_ns) over (partition by c.hop order by c.at_ns, c.what, c.backend)
      <= case when s.span_ns / 24 > 900000000000 then s.span_ns / 24 else 900000000000 end then 0 else 1 end as opens
  from change c
  join span s on s.hop = c.hop
)
select hop, backend, what, at_ns,
  sum(opens) over (partition by hop order by at_ns, what, backend rows between unbounded preceding and current row) as window_id
from spaced
