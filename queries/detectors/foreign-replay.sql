-- ---
-- id: foreign-replay
-- title: A resumed stream carried messages of another stream
-- explanation: "The resume of session {session} after {last_event_id} carried {events} events that belong to another {scope}."
-- severity: critical
-- era: sessions
-- needs: [request-headers, events]
-- key: [session, resume_request]
-- remedy: Server - key the event store by session and stream and replay only the stream whose cursor was presented.
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
select e.session, min(o.session) as other_session, min(f.at_ns) as at_ns, max(f.at_ns) as until_ns,
  case when max(f.across) = 1 then 'critical' else 'high' end as severity, 'definite' as confidence,
  coalesce(cast(min(f.origin_request) as varchar) || ',', '') || cast(f.request_id as varchar) as exchanges,
  f.request_id as resume_request, min(f.last_event_id) as last_event_id,
  case when max(f.across) = 1 then 'session' else 'stream' end as scope, count(*) as events
from foreign_event f
join epoch e on e.epoch_id = f.epoch_id
left join epoch o on o.epoch_id = f.other_epoch
group by e.session, f.request_id
