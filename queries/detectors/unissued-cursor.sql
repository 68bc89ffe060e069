-- ---
-- id: unissued-cursor
-- title: A client presented a position that it cannot have persisted
-- explanation: "Last-Event-ID {last_event_id} was presented with session {session}, but {kind}."
-- severity: high
-- era: sessions
-- needs: [request-headers, events]
-- key: [session, resume_request]
-- remedy: Client - persist an event id only when its event is complete, and never make one up.
-- false-positives: ["A capture that misses part of the session"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
select session, at_ns, finished_ns as until_ns, 'high' as severity, 'definite' as confidence,
  coalesce(cast(issued_request as varchar) || ',', '') || cast(request_id as varchar) as exchanges,
  request_id as resume_request, last_event_id, status, kind
from stray_cursor
where kind in ('never-issued', 'partial-frame')
