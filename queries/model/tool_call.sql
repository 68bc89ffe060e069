-- tools/call requests, once each, whatever the number of hops and views.
select call_id, request_id, call_group, epoch_id, hop, stream_id, scope, lineage, history, session, rpc_id, tool, arguments_digest, idempotency_key,
  task_id, input_retry, started_ns, coalesce(answered_ns, case when outcome = 'rejected' then finished_ns end) as ended_ns, finished_ns, status,
  end_state, tries, vantage, is_session_era, answered_request, answered_ns, cancelled_ns, outcome, read_only, idempotent, destructive, source_id, locator
from rpc_call
where rpc_method = 'tools/call' and hop_nth = 1
