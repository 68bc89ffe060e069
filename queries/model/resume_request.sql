-- Requests that ask for the rest of a stream: a GET with Last-Event-ID, or a POST that carries it with nothing new:
-- with no message at all, or with a request that is still waiting for its answer.
with asked as (
  select c.epoch_id, c.rpc_id, c.rpc_method, min(c.at_ns) as first_ns
  from client_message c
  where c.kind = 'request' and c.rpc_id is not null and c.epoch_id is not null
    and not exists (
      select 1 from message a
      where a.exchange_id = c.request_id and a.sender = 'server' and a.kind in ('result', 'error') and a.rpc_id = c.rpc_id)
  group by c.epoch_id, c.rpc_id, c.rpc_method
)
select r.request_id, s.epoch_id, 'get' as via
from request r
left join session_request s on s.request_id = r.request_id
where r.http_method = 'GET' and nullif(r.last_event_id, '') is not null and r.is_session_era
union all
select r.request_id, s.epoch_id, 'post'
from request r
left join session_request s on s.request_id = r.request_id
left join client_message c on c.request_id = r.request_id and c.ordinal = 0
left join asked a on a.epoch_id = s.epoch_id and a.rpc_id = c.rpc_id and a.rpc_method = c.rpc_method and a.first_ns < r.at_ns
where r.http_method = 'POST' and nullif(r.last_event_id, '') is not null and r.is_session_era
  and (r.saw_request_body and c.request_id is null or a.epoch_id is not null)
