-- Pairs of views that may show one exchange, without a common id: same session, HTTP method and status, and near in time.
-- Both sides are numbered in order of time and only the three next ones before and after are looked at, which keeps it
-- linear in the number of exchanges.
with numbered as (
  select near_vantage, far_vantage, is_near, exchange_id, who, trace_id, stamp_ns, last_ns, precision_ns,
    row_number() over (partition by near_vantage, far_vantage, who, is_near order by stamp_ns, exchange_id) as nth,
    sum(case when is_near then 0 else 1 end) over (
      partition by near_vantage, far_vantage, who order by stamp_ns, case when is_near then 0 else 1 end, exchange_id
      rows between unbounded preceding and current row) as far_before,
    sum(case when is_near then 1 else 0 end) over (
      partition by near_vantage, far_vantage, who order by stamp_ns, case when is_near then 0 else 1 end, exchange_id
      rows between unbounded preceding and current row) as near_before
  from link_side
),
step as (
  select -2 as off union all select -1 union all select 0 union all select 1 union all select 2 union all select 3
),
near_look as (
  select n.*, n.far_before + s.off as look from numbered n cross join step s where n.is_near
),
far_look as (
  select f.*, f.near_before + s.off as look from numbered f cross join step s where not f.is_near
),
pair as (
  select n.near_vantage, n.far_vantage, n.exchange_id as near_id, f.exchange_id as far_id, n.trace_id as near_trace, f.trace_id as far_trace,
    abs(n.stamp_ns - f.stamp_ns) as apart_ns, abs(n.last_ns - f.last_ns) as ends_apart_ns, n.precision_ns + f.precision_ns as precision_ns
  from near_look n
  join numbered f on f.near_vantage = n.near_vantage and f.far_vantage = n.far_vantage and f.who = n.who and f.nth = n.look and not f.is_near
  union
  select f.near_vantage, f.far_vantage, n.exchange_id, f.exchange_id, n.trace_id, f.trace_id,
    abs(n.stamp_ns - f.stamp_ns), abs(n.last_ns - f.last_ns), n.precision_ns + f.precision_ns
  from far_look f
  join numbered n on n.near_vantage = f.near_vantage and n.far_vantage = f.far_vantage and n.who = f.who and n.nth = f.look and n.is_near
)
-- One end of an exchange is seen by both at nearly one time; the other may differ by what a request waited, or a stream was held.
select near_vantage, far_vantage, near_id, far_id,
  case when ends_apart_ns < apart_ns then ends_apart_ns else apart_ns end + (apart_ns + coalesce(ends_apart_ns, apart_ns)) / 16 as distance_ns
from pair
where (apart_ns <= 1000000000 + precision_ns or (apart_ns <= 60000000000 and ends_apart_ns <= 1000000000 + precision_ns))
  -- two traces are two exchanges
  and (near_trace is null or far_trace is null or near_trace = far_trace)
