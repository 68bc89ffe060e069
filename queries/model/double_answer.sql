-- Different answers to one request, on its own stream and under no other request's id. What a resume brought from elsewhere is foreign, not a second answer.
with answered as (
  select p.stream_id, m.rpc_id, m.message_digest, min(m.at_ns) as at_ns, min(m.request_id) as request_id
  from server_message m
  join stream_part p on p.request_id = m.request_id
  join request r on r.request_id = m.request_id
  where m.kind in ('result', 'error') and m.rpc_id is not null and r.is_ok and m.message_digest is not null
    and not exists (select 1 from foreign_event f where f.request_id = m.request_id and f.ordinal = m.event_ordinal)
  group by p.stream_id, m.rpc_id, m.message_digest
),
lone as (
  select c.stream_id, c.rpc_id, min(c.call_id) as call_id from call_request c
  where c.rpc_id is not null group by c.stream_id, c.rpc_id having count(*) = 1
)
select l.call_id, a.stream_id, a.rpc_id, min(a.at_ns) as at_ns, max(a.at_ns) as until_ns, min(a.request_id) as first_request, max(a.request_id) as again_request,
  count(*) as answers
from lone l
join answered a on a.stream_id = l.stream_id and a.rpc_id = l.rpc_id
group by l.call_id, a.stream_id, a.rpc_id
having count(*) > 1
