-- tools/call requests, once each: of the hops of one call the one nearest to the client counts.
with ranked as (
  select c.*,
    row_number() over (
      partition by call_group, tool, rpc_id
      order by case vantage when 'client' then 0 when 'proxy' then 1 when 'server' then 2 else 3 end, started_ns, call_id) as hop_nth
  from rpc_call c
  where rpc_method = 'tools/call'
)
select call_id, request_id, call_group, epoch_id, hop, stream_id, scope, lineage, session, rpc_id, tool, arguments_digest, idempotency_key, task_id, input_retry,
  started_ns, coalesce(answered_ns, case when outcome = 'rejected' then finished_ns end) as ended_ns, finished_ns, status, end_state, tries, vantage, is_session_era,
  answered_request, answered_ns, cancelled_ns, outcome, read_only, idempotent, destructive, source_id, locator
from ranked
where hop_nth = 1
