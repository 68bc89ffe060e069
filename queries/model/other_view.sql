-- What the further views of an exchange add to the one that speaks for it: the proxy knows the instance, the span the tool.
select l.request_id,
  coalesce(max(case when e.vantage = 'proxy' then e.backend end), max(case when e.vantage = 'server' then e.backend end), max(e.backend)) as backend,
  coalesce(max(case when e.vantage = 'proxy' then e.backends end), max(case when e.vantage = 'server' then e.backends end), max(e.backends)) as backends,
  max(e.backend_statuses) as backend_statuses,
  max(e.tries) as tries,
  max(e.status) as status,
  max(e.http_method) as http_method,
  max(e.path) as path,
  max(nullif(e.request_session, '')) as request_session,
  max(nullif(e.response_session, '')) as response_session,
  max(e.last_event_id) as last_event_id,
  max(e.protocol_version) as protocol_version,
  max(e.era) as era,
  max(e.client) as client,
  max(e.connection) as connection,
  max(e.user_agent) as user_agent,
  max(e.principal) as principal,
  max(e.trace_id) as trace_id,
  max(e.span_id) as span_id,
  max(e.request_id) as proxy_request_id,
  max(e.rpc_method) as rpc_method,
  max(e.rpc_id) as rpc_id,
  max(e.tool) as tool,
  max(e.response_type) as response_type,
  max(e.server_info) as server_info,
  max(e.client_info) as client_info,
  min(case when coalesce(h.end_state, e.end_state) in ('truncated', 'timed-out', 'client-aborted', 'complete') then coalesce(h.end_state, e.end_state) end) as end_state,
  min(case when coalesce(h.end_state, e.end_state) in ('truncated', 'timed-out', 'client-aborted', 'complete') then coalesce(h.end_reason, e.end_reason) end) as end_reason,
  bool_or(e.loss_in_body) as loss_in_body,
  bool_or(e.saw_response_headers) as saw_response_headers,
  bool_or(e.saw_request_headers) as saw_request_headers
from link l
join exchange e on e.exchange_id = l.exchange_id
left join exchange_heard h on h.exchange_id = e.exchange_id
where l.view > 1
group by l.request_id
