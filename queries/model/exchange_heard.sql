-- Exchanges of which the error log beside the access log knows how they ended.
-- An access line with 200 is no proof of a clean end; a line of the error log that fits by request, client and time is proof of a cut.
-- Seconds are the join key (a line is looked for in its own second and its two neighbours), so that the join stays linear.
with heard as (
  select companion_id, at_ns, precision_ns, http_method, path, client, connection, end_state, reason,
    cast(floor(at_ns / 1000000000) as bigint) as second
  from companion
  where end_state <> 'unknown'
),
near as (
  select companion_id, second from heard
  union all select companion_id, second - 1 from heard
  union all select companion_id, second + 1 from heard
),
silent as (
  select exchange_id, ended_ns, precision_ns, http_method, path, client, connection,
    cast(floor(ended_ns / 1000000000) as bigint) as second
  from exchange
  where end_state = 'unknown' and vantage = 'proxy' and ended_ns is not null
    and exists (select 1 from companion)
),
fit as (
  select e.exchange_id, h.companion_id, h.end_state, h.reason,
    row_number() over (partition by h.companion_id order by abs(e.ended_ns - h.at_ns), e.exchange_id) as nth_exchange,
    row_number() over (partition by e.exchange_id order by abs(e.ended_ns - h.at_ns), h.companion_id) as nth_line
  from silent e
  join near n on n.second = e.second
  join heard h on h.companion_id = n.companion_id
  where abs(e.ended_ns - h.at_ns) <= 1000000000 + e.precision_ns + h.precision_ns
    and (h.http_method is null or e.http_method is null or h.http_method = e.http_method)
    and (h.path is null or e.path is null or h.path = e.path)
    and (h.client is null or e.client is null or h.client = e.client)
    and (h.connection is null or e.connection is null or h.connection = e.connection)
)
select exchange_id, end_state, reason as end_reason, companion_id
from fit
where nth_exchange = 1 and nth_line = 1
