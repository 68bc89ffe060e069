-- Every tool call with its outcome, in time order.
select
  c.session, c.rpc_id, c.tool, c.arguments_digest, c.outcome, c.started_ns, c.ended_ns, c.status, c.end_state,
  r.endpoint, s.path as source, c.locator
from tool_call c
join request r on r.request_id = c.request_id
join source s on s.source_id = c.source_id
order by c.started_ns, c.call_id
