-- The exchanges of every two vantages that were both recorded, side by side, with the moment at which they are compared.
-- `who` must agree: session (or path, where there is none), HTTP method and status; a client that left has no status or 499.
with side as (
  select exchange_id, vantage, trace_id, precision_ns, coalesce(started_ns, ended_ns) as started_ns, coalesce(ended_ns, started_ns) as ended_ns,
    coalesce(nullif(request_session, ''), nullif(response_session, ''), '-' || coalesce(path, '')) || ' ' || http_method || ' '
      || case when status is null or status in (0, 460, 499) then '-' else cast(status as varchar) end as who,
    -- a log that stamps only the end, to the second, is compared by ends
    case when started_ns is null or (ended_ns = started_ns and precision_ns >= 1000000000) then 1 else 0 end as end_only
  from exchange
  where coalesce(started_ns, ended_ns) is not null and http_method is not null and vantage in ('client', 'proxy', 'server')
    and (select count(distinct vantage) from exchange) > 1
),
present as (
  select vantage, max(end_only) as end_only from side group by vantage
),
pair as (
  select n.vantage as near_vantage, f.vantage as far_vantage, case when n.end_only + f.end_only > 0 then 1 else 0 end as by_end
  from present n
  join present f on (n.vantage = 'client' and f.vantage in ('proxy', 'server')) or (n.vantage = 'proxy' and f.vantage = 'server')
)
select p.near_vantage, p.far_vantage, true as is_near, s.exchange_id, s.who, s.trace_id, s.precision_ns,
  case when p.by_end = 1 then s.ended_ns else s.started_ns end as stamp_ns,
  -- the other end of an exchange tells apart what began together
  case when p.by_end = 0 and s.ended_ns > s.started_ns then s.ended_ns end as last_ns
from pair p join side s on s.vantage = p.near_vantage
union all
select p.near_vantage, p.far_vantage, false, s.exchange_id, s.who, s.trace_id, s.precision_ns,
  case when p.by_end = 1 then s.ended_ns else s.started_ns end,
  case when p.by_end = 0 and s.ended_ns > s.started_ns then s.ended_ns end
from pair p join side s on s.vantage = p.far_vantage
