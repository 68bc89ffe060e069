-- ---
-- id: event-gap
-- title: Events are missing on a resumed stream
-- explanation: "The resume of session {session} after {last_event_id} went on with {first_event_id}: {missing} events were never delivered."
-- severity: high
-- era: sessions
-- needs: [request-headers, events]
-- key: [session, resume_request]
-- remedy: Server - store events for as long as their stream can be resumed, also those sent while nobody listened.
-- false-positives: ["Counters that other traffic of the server advances"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
select session, at_ns, finished_ns as until_ns, 'high' as severity, case when family in ('go', 'rmcp') then 'definite' else 'probable' end as confidence,
  case when stream_id <> request_id then cast(stream_id as varchar) || ',' else '' end || cast(request_id as varchar) as exchanges,
  request_id as resume_request, last_event_id, first_event_id, missing, family
from resume
where placement = 'gap'
