-- What servers sent, on the exchange that speaks for it; only what a client would have dispatched.
select v.request_id, m.ordinal, m.event_ordinal, coalesce(s.response_epoch_id, s.epoch_id) as epoch_id, r.hop, m.kind, m.rpc_id, m.rpc_method,
  m.progress_token, m.progress, m.message_digest, m.error_code, m.tool_error, m.loss_signal, m.input_required, m.task_id, m.result_keys,
  e.event_id, e.data_digest,
  -- Chrome stamps the events of a first chunk with the start of the request: for an answer the end of its stream is nearer
  case
    when m.kind in ('result', 'error') and coalesce(e.at_ns, m.at_ns) <= r.at_ns + 1000000 then r.finished_ns
    else coalesce(e.at_ns, m.at_ns, r.finished_ns)
  end as at_ns
from message m
join voice v on v.exchange_id = m.exchange_id
join request r on r.request_id = v.request_id
left join session_request s on s.request_id = v.request_id
left join event e on e.exchange_id = m.exchange_id and e.ordinal = m.event_ordinal
where m.sender = 'server' and coalesce(e.complete, true)
