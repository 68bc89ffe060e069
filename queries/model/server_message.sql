-- What servers sent, on the exchange that speaks for it; only what a client would have dispatched.
select v.request_id, m.ordinal, m.event_ordinal, coalesce(s.response_epoch_id, s.epoch_id) as epoch_id, r.hop, m.kind, m.rpc_id, m.rpc_method,
  m.progress_token, m.progress, m.message_digest, m.error_code, m.tool_error, m.loss_signal, m.input_required, m.task_id, m.result_keys,
  e.event_id, e.data_digest,
  coalesce(e.at_ns, m.at_ns, r.finished_ns) as at_ns
from message m
join voice v on v.exchange_id = m.exchange_id
join request r on r.request_id = v.request_id
left join session_request s on s.request_id = v.request_id
left join event e on e.exchange_id = m.exchange_id and e.ordinal = m.event_ordinal
where m.sender = 'server' and coalesce(e.complete, true)
