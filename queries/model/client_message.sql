-- What clients sent: one row per JSON-RPC message of a request body. Where a body is not recorded but a header or a span names
-- the method, that is the message.
select v.request_id, m.ordinal, s.epoch_id, r.hop, m.kind, m.rpc_id, m.rpc_method, m.tool, m.progress_token,
  m.arguments_digest, m.message_digest, m.cancels, m.input_retry, m.idempotency_key, m.task_id, m.loss_signal,
  coalesce(m.at_ns, r.at_ns) as at_ns
from message m
join voice v on v.exchange_id = m.exchange_id
join request r on r.request_id = v.request_id
left join session_request s on s.request_id = v.request_id
where m.sender = 'client'
union all
select r.request_id, 0, s.epoch_id, r.hop, 'request', r.rpc_id, r.rpc_method, r.tool, null, null, null, null, false, null, null, false, r.at_ns
from request r
left join session_request s on s.request_id = r.request_id
where r.rpc_method is not null and r.rpc_method not like 'notifications/%'
  and r.request_id not in (select v.request_id from voice v join message m on m.exchange_id = v.exchange_id where m.sender = 'client')
