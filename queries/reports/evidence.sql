-- One row per file that shows an exchange which a finding names, the one that speaks for it first.
select r.request_id, e.exchange_id, s.path as source, e.locator, e.vantage, e.endpoint, e.started_ns, e.ended_ns, e.http_method, e.path, e.status,
  e.request_session, e.response_session, e.last_event_id, e.first_event_id, e.end_state, e.end_reason, case when e.exchange_id = r.request_id then r.backends else e.backends end as backends,
  case when e.exchange_id = r.request_id then r.backend else e.backend end as backend, e.rpc_method, e.rpc_id, e.tool,
  e.trace_id, e.span_id, r.at_ns, case when e.exchange_id = r.request_id then 0 else 1 end as further
from request r
left join link l on l.request_id = r.request_id
join exchange e on e.exchange_id = coalesce(l.exchange_id, r.request_id)
join source s on s.source_id = e.source_id
where r.request_id in (select cast(id as bigint) from unnest(string_split($ids, ',')) as wanted(id))
order by r.at_ns, r.request_id, further, e.exchange_id
