-- ---
-- id: lost-response
-- title: A request never got its answer
-- explanation: "Request {request_id} ({method}) of session {session} never got its answer: {ended}."
-- severity: medium
-- needs: []
-- wants: [bodies]
-- key: [session, asked_request, request_id]
-- remedy: Treat the call as unknown outcome and ask the system it acts on before you repeat it. Server - keep answers until they were delivered.
-- false-positives: ["A capture that misses the connection on which the answer came"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
select session, started_ns as at_ns, closed_ns as until_ns,
  case when rpc_method = 'tools/call' and not read_only then 'high' else 'medium' end as severity, 'definite' as confidence,
  case when last_request = request_id then cast(request_id as varchar) else cast(request_id as varchar) || ',' || cast(last_request as varchar) end as exchanges,
  request_id as asked_request, rpc_id as request_id, rpc_method as method, tool, ended, parts,
  case when rpc_method = 'tools/call' then outcome end as outcome
from lost_response
