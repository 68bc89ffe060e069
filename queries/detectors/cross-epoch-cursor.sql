-- ---
-- id: cross-epoch-cursor
-- title: An event id of one session was presented with another
-- explanation: "Last-Event-ID {last_event_id} was issued under session {other_session} and presented with session {session}; the answer was {status}."
-- severity: critical
-- era: sessions
-- needs: [request-headers, status]
-- wants: [events]
-- key: [session, other_session, resume_request]
-- remedy: Client - persist session id and last event id as one token and drop both together. Server - refuse a cursor that you cannot attribute to the presented session.
-- false-positives: ["A bare counter that happens to exceed all that the session issued"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
select session, other_session, at_ns, finished_ns as until_ns,
  case when status between 200 and 299 then 'critical' else 'high' end as severity,
  case when proof = 'counter' then 'probable' else 'definite' end as confidence,
  cast(issued_request as varchar) || ',' || cast(request_id as varchar) as exchanges,
  request_id as resume_request, last_event_id, status, proof
from stray_cursor
where kind = 'cross-epoch'
