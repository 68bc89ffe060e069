-- ---
-- id: event-id-collision
-- title: One event id for two different events in one session
-- explanation: "Session {session} issued {ids} event ids for two different events each, for example {example} ({mode})."
-- severity: high
-- era: sessions
-- needs: [events]
-- key: [session, first_request]
-- remedy: Server - event ids are unique across all streams of a session; do not restart the counter under an old session id.
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
with twice as (
  select epoch_id, event_id, min(first_ns) as first_ns, max(last_ns) as again_ns, min(first_request) as first_request, max(last_request) as again_request, min(id_seq) as id_seq
  from first_delivery
  where not priming
  group by epoch_id, event_id
  having count(distinct data_digest) > 1 or max(digests) > 1
),
top as (
  select f.epoch_id, count(distinct f.event_id) as ids, min(f.id_seq) as least from first_delivery f where not f.priming group by f.epoch_id
)
select e.session, min(t.first_ns) as at_ns, max(t.again_ns) as until_ns, 'high' as severity, 'definite' as confidence,
  cast(min(t.first_request) as varchar) || ',' || cast(max(t.again_request) as varchar) as exchanges,
  min(t.first_request) as first_request, count(*) as ids, min(t.event_id) as example,
  -- the numbers began again: the least of the session is among those issued twice, and several are
  case when count(*) >= 2 and min(t.id_seq) = min(p.least) then 'restart' else 'reuse' end as mode
from twice t
join epoch e on e.epoch_id = t.epoch_id
join top p on p.epoch_id = t.epoch_id
group by e.session, t.epoch_id
