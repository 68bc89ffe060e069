-- ---
-- id: session-header-missing
-- title: A client left the session id out
-- explanation: "The client had been assigned session {session} and sent {requests} requests without it, the first answered {status}."
-- severity: medium
-- era: sessions
-- needs: [request-headers, response-headers, status]
-- key: [session, first_request]
-- remedy: Client - send Mcp-Session-Id on every request after initialize, notifications and GET included.
-- false-positives: ["Two clients behind one address or credential, one of which has no session"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management"]
-- ---
-- after a loss a log that does not know the JSON-RPC method cannot tell the next initialize from a request without its session
with missing as (
  select request_id, session, epoch_id, at_ns, finished_ns, status, method_known,
    row_number() over (partition by epoch_id order by at_ns, request_id) as nth
  from bare_request
  where method_known or (lost_ns is null and status >= 400)
)
select session, min(at_ns) as at_ns, max(finished_ns) as until_ns, 'medium' as severity,
  case when max(case when method_known then 1 else 0 end) = 1 then 'definite' else 'possible' end as confidence,
  string_agg(case when nth <= 20 then cast(request_id as varchar) end, ',' order by at_ns, request_id) as exchanges,
  min(case when nth = 1 then request_id end) as first_request, count(*) as requests, min(case when nth = 1 then status end) as status
from missing
group by session, epoch_id
