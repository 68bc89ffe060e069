-- Events that reached a client, in the epoch that the response names.
select v.request_id, e.ordinal, coalesce(s.response_epoch_id, s.epoch_id) as epoch_id, r.hop,
  e.event_id, e.cursor, e.id_family, e.id_stream, e.id_seq, e.id_session, e.data_bytes, e.data_digest, e.priming, e.retry_ms,
  coalesce(e.at_ns, r.at_ns) as at_ns
from event e
join voice v on v.exchange_id = e.exchange_id
join request r on r.request_id = v.request_id
left join session_request s on s.request_id = v.request_id
where e.complete and r.is_session_era
