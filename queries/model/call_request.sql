-- Every JSON-RPC request of a client. A POST that only resumes repeats its request and asks nothing new.
-- `scope` is where its id must be unique: the epoch, or the endpoint where there is no session.
select
  c.request_id * 1024 + c.ordinal as call_id, c.request_id, c.ordinal, r.call_group, c.epoch_id, c.hop, p.stream_id,
  coalesce('e' || cast(c.epoch_id as varchar), 'h' || c.hop) as scope,
  c.rpc_id, c.rpc_method, c.tool, c.progress_token, c.arguments_digest, c.message_digest, c.input_retry, c.idempotency_key, c.task_id,
  c.at_ns as started_ns
from client_message c
join request r on r.request_id = c.request_id
join stream_part p on p.request_id = c.request_id
where c.kind = 'request' and not (p.is_resume and r.http_method = 'POST')
