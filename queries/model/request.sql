-- One row per HTTP exchange, however many files show it. The unit that everything else counts.
with refusal as (
  select exchange_id, min(error_code) as answer_code, max(case when error_code = -32601 then 1 else 0 end) as unknown_method
  from message where sender = 'server' and kind = 'error' group by exchange_id
),
speaker as (
  select e.*, coalesce(n.end_state, e.end_state) as final_end_state, coalesce(n.end_reason, e.end_reason) as final_end_reason,
    coalesce(a.hop, e.vantage || ' ' || e.endpoint) as hop, l.call_group
  from exchange e
  left join exchange_heard n on n.exchange_id = e.exchange_id
  left join link l on l.exchange_id = e.exchange_id
  left join hop_alias a on a.vantage = e.vantage and a.endpoint = e.endpoint
  where l.view is null or l.view = 1
),
whole as (
  select
    s.exchange_id as request_id, s.source_id, s.locator, s.vantage, s.endpoint, s.hop, coalesce(s.call_group, s.exchange_id) as call_group,
    s.started_ns, s.ended_ns, s.precision_ns,
    -- a span of the message knows nothing of HTTP, the one around it does
    coalesce(s.http_method, o.http_method) as http_method, coalesce(s.path, o.path) as path,
    coalesce(s.status, o.status) as status,
    coalesce(nullif(s.request_session, ''), o.request_session) as request_session,
    coalesce(nullif(s.response_session, ''), o.response_session) as response_session,
    coalesce(s.last_event_id, o.last_event_id) as last_event_id,
    s.cursor_family, s.cursor_stream, s.cursor_seq, s.cursor_session, s.resume_fingerprint,
    coalesce(s.protocol_version, o.protocol_version) as protocol_version,
    coalesce(s.era, o.era) as era, s.request_type,
    coalesce(s.response_type, o.response_type) as response_type,
    case when s.final_end_state = 'unknown' then coalesce(o.end_state, 'unknown') else s.final_end_state end as end_state,
    case when s.final_end_state = 'unknown' then coalesce(o.end_reason, s.final_end_reason) else s.final_end_reason end as end_reason,
    -- a client only knows the address it dialled; the proxy and the server know the instance
    case when s.vantage = 'client' then coalesce(o.backend, s.backend) else coalesce(s.backend, o.backend) end as backend,
    case when s.vantage = 'client' then coalesce(o.backends, s.backends) else coalesce(s.backends, o.backends) end as backends,
    coalesce(s.backend_statuses, o.backend_statuses) as backend_statuses,
    case when o.tries > s.tries then o.tries else s.tries end as tries,
    coalesce(s.client, o.client) as client, coalesce(s.connection, o.connection) as connection,
    coalesce(s.user_agent, o.user_agent) as user_agent, coalesce(s.principal, o.principal) as principal,
    coalesce(s.trace_id, o.trace_id) as trace_id, coalesce(s.span_id, o.span_id) as span_id,
    coalesce(s.rpc_method, o.rpc_method) as rpc_method, coalesce(s.rpc_id, o.rpc_id) as rpc_id, coalesce(s.tool, o.tool) as tool,
    s.locator like 'span %' as is_span, s.first_event_id, s.last_cursor, s.event_count, s.message_count, s.response_bytes,
    s.saw_request_headers or coalesce(o.saw_request_headers, false) as saw_request_headers,
    s.saw_response_headers or coalesce(o.saw_response_headers, false) as saw_response_headers,
    s.saw_request_body, s.saw_response_body, s.saw_events,
    s.loss_in_body or coalesce(o.loss_in_body, false) as loss_in_body, s.stream_held,
    coalesce(s.server_info, o.server_info) as server_info, coalesce(s.client_info, o.client_info) as client_info, s.incomplete,
    r.answer_code, coalesce(r.unknown_method, 0) = 1 as unknown_method
  from speaker s
  left join other_view o on o.request_id = s.exchange_id
  left join refusal r on r.exchange_id = s.exchange_id
)
select w.*,
  coalesce(started_ns, ended_ns) as at_ns,
  coalesce(ended_ns, started_ns) as finished_ns,
  coalesce(era, case when protocol_version between '2026-07-28' and '9999' then 'stateless' else 'sessions' end) <> 'stateless' as is_session_era,
  coalesce(status between 200 and 299, false) as is_ok,
  coalesce(rpc_method = 'initialize', false) as is_initialize,
  -- without the JSON-RPC method a POST that brings no session and takes one is as good as an initialize
  coalesce(rpc_method = 'initialize', http_method = 'POST' and request_session is null and response_session is not null, false) as is_assignment,
  coalesce(response_type = 'text/event-stream', false) or event_count > 0 as is_stream,
  request_session is not null and not coalesce(rpc_method = 'initialize', false)
    and (coalesce(status = 404, false) and not unknown_method or loss_in_body) as is_loss
from whole w
