-- Every JSON-RPC request of a client with what became of it.
with cancelled as (
  select call_id, min(at_ns) as cancelled_ns from call_turn where what = 'cancel' group by call_id
)
select c.call_id, c.request_id, c.call_group, c.epoch_id, c.hop, c.stream_id, c.scope, l.lineage,
  -- whose history the call belongs to; without a session the credential, the recording, the address or the trace must do
  coalesce('l' || cast(l.lineage as varchar), 'p' || r.principal, case when r.vantage = 'client' and not r.is_span then 'h' || r.hop || ' ' || coalesce(r.user_agent, '') end,
    'a' || r.client || ' ' || coalesce(r.user_agent, ''), 't' || r.trace_id, 'h' || r.hop) as history, r.request_session as session,
  c.rpc_id, c.rpc_method, c.tool, c.progress_token, c.arguments_digest, c.message_digest, c.input_retry, c.idempotency_key, c.task_id,
  c.started_ns, r.finished_ns, r.status, r.end_state, r.end_reason, r.vantage, r.is_session_era, r.saw_events, r.saw_response_body, r.is_stream, r.tries,
  a.answered_request, a.answered_ns, a.elsewhere, a.kind as answer_kind, a.error_code, a.message_digest as answer_digest, a.result_keys,
  x.cancelled_ns, r.source_id, r.locator,
  -- of the hops of one call the one nearest to the client counts
  row_number() over (
    partition by c.call_group, c.rpc_method, c.tool, c.rpc_id
    order by case r.vantage when 'client' then 0 when 'proxy' then 1 when 'server' then 2 else 3 end, c.started_ns, c.call_id) as hop_nth,
  coalesce(h.read_only, false) as read_only, coalesce(h.idempotent, false) as idempotent, coalesce(h.destructive, false) as destructive,
  case
    when a.input_required then 'input-required'
    when a.kind = 'result' and not a.tool_error then 'completed'
    when a.kind = 'result' then 'tool-error'
    -- refused before anything ran: the session was unknown, or the request itself was not accepted
    when a.kind = 'error' and (a.loss_signal or a.error_code in (-32700, -32600, -32601, -32602, -32020, -32022)) then 'rejected'
    when r.status between 400 and 499 and r.status not in (408, 460, 499) then 'rejected'
    when r.is_loss then 'rejected'
    -- no connection came about: the request never left the client
    when r.status is null and (r.end_reason like '%CONNECTION_REFUSED%' or r.end_reason like '%NAME_NOT_RESOLVED%' or r.end_reason like '%ADDRESS_UNREACHABLE%'
      or r.end_reason like '%INTERNET_DISCONNECTED%' or r.end_reason like '%UNKNOWN_HOST%' or r.end_reason like '%ECONNREFUSED%' or r.end_reason like '%ENOTFOUND%') then 'rejected'
    when a.kind = 'error' then 'tool-error'
    -- the answer never reached the client, but the server's own record says that the tool ran
    when o.completed = 1 then 'completed'
    when x.cancelled_ns is not null and (x.cancelled_ns <= r.finished_ns or r.finished_ns is null) then 'cancelled'
    -- stateless era: closing the response stream is the cancellation
    when not r.is_session_era and r.end_state = 'client-aborted' then 'cancelled'
    else 'unknown'
  end as outcome
from call_request c
join request r on r.request_id = c.request_id
left join lineage l on l.epoch_id = c.epoch_id
left join call_answer a on a.call_id = c.call_id
left join cancelled x on x.call_id = c.call_id
left join tool_hint h on h.hop = c.hop and h.tool = c.tool
left join other_answer o on o.call_group = r.call_group and o.rpc_id = c.rpc_id and c.rpc_method = 'tools/call'
