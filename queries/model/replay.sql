-- Messages on a resumed stream that the client had already received on that stream, under the same id and with the same data.
-- Priming events and comments are no messages.
with again as (
  select d.request_id, d.ordinal, d.epoch_id, d.hop, p.stream_id, d.event_id, d.data_digest, d.at_ns, f.first_ns, f.first_request,
    row_number() over (partition by d.request_id order by d.ordinal) as nth
  from delivery d
  join stream_part p on p.request_id = d.request_id and p.is_resume
  join first_delivery f on f.epoch_id = d.epoch_id and f.event_id = d.event_id and f.stream_id = p.stream_id
  where not d.priming and d.event_id is not null and f.first_request <> d.request_id and f.first_ns <= d.at_ns
    -- the same id with other data is a collision, not a replay
    and exists (
      select 1 from delivery o
      where o.request_id = f.first_request and o.event_id = d.event_id
        and (o.data_digest = d.data_digest or o.data_digest is null or d.data_digest is null))
)
select a.request_id, a.ordinal, a.epoch_id, a.hop, a.stream_id, a.event_id, a.at_ns, a.first_ns, a.first_request, r.last_event_id,
  m.kind, m.rpc_id, m.rpc_method, m.progress_token,
  -- acted on: the client went on after it had the message first, or answered the server's request
  case
    when m.kind in ('result', 'error') or m.rpc_method = 'notifications/progress' then exists (
      select 1 from client_message c
      where c.epoch_id = a.epoch_id and c.kind = 'request' and c.at_ns > a.first_ns and c.at_ns < r.at_ns)
    when m.kind = 'request' then exists (
      select 1 from client_message c
      where c.epoch_id = a.epoch_id and c.kind in ('result', 'error') and c.rpc_id = m.rpc_id and c.at_ns >= a.first_ns and c.at_ns <= r.at_ns)
    else false
  end as acted_on
from again a
join request r on r.request_id = a.request_id
left join server_message m on m.request_id = a.request_id and m.event_ordinal = a.ordinal
