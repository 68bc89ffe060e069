-- ---
-- id: epoch-merge
-- title: A request for one session was answered under another
-- explanation: "A request that carried session {session} was answered {status} under session {other_session}; {consequence}."
-- severity: critical
-- era: sessions
-- needs: [request-headers, response-headers, status]
-- key: [session, other_session, seam_request]
-- remedy: Server - answer 404 for a session id you do not know and never mint one on a resume. Client - compare the session id of every response with the one you sent; if it differs, stop, treat calls in flight as unknown outcome, and initialize anew.
-- false-positives: [A gateway that renames sessions on purpose and keeps their history, A log that cannot tell an initialize with a stale id from a resume (reported as possible)]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management"]
-- ---
select session, other_session, at_ns, until_ns,
  case
    when consequence = 'adopted' and sure then 'critical'
    when not sure then 'medium'
    when consequence = 'delivered' then 'high'
    else 'medium'
  end as severity,
  case when sure then 'definite' else 'possible' end as confidence,
  exchanges, seam_request, "trigger", consequence, status, requests
from epoch_merge
union all
select session, null, at_ns, until_ns, case when consequence = 'delivered' then 'high' else 'medium' end, 'probable',
  exchanges, seam_request, "trigger", consequence, status, requests
from epoch_absent
