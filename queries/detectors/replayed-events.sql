-- ---
-- id: replayed-events
-- title: A resume delivered events again that the client already had
-- explanation: "The resume of session {session} after {last_event_id} delivered {events} events again ({mode})."
-- severity: low
-- era: sessions
-- needs: [request-headers, events]
-- key: [session, resume_request]
-- remedy: Server - start a replay strictly after Last-Event-ID. Client - drop events whose id it has already processed.
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
select e.session, min(y.at_ns) as at_ns, max(y.at_ns) as until_ns,
  case when bool_or(y.acted_on) then 'high' else 'low' end as severity, 'definite' as confidence,
  cast(min(y.first_request) as varchar) || ',' || cast(y.request_id as varchar) as exchanges,
  y.request_id as resume_request, min(y.last_event_id) as last_event_id,
  case when bool_and(y.event_id = y.last_event_id) then 'inclusive' else 'earlier' end as mode,
  count(*) as events, bool_or(y.acted_on) as acted_on
from replay y
join epoch e on e.epoch_id = y.epoch_id
group by e.session, y.request_id
