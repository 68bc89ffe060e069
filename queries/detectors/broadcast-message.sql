-- ---
-- id: broadcast-message
-- title: One message on two streams
-- explanation: "Session {session} received a message on more than one connected stream ({kind})."
-- severity: medium
-- era: sessions
-- needs: [events]
-- key: [session, first_request, kind]
-- remedy: Server - send each message on one stream only; a response belongs on the stream of its request.
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#multiple-connections"]
-- ---
select e.session, min(b.at_ns) as at_ns, max(b.until_ns) as until_ns, 'medium' as severity, 'definite' as confidence,
  cast(min(b.first_request) as varchar) || case when min(b.other_request) is null then '' else ',' || cast(min(b.other_request) as varchar) end as exchanges,
  min(b.first_request) as first_request, b.kind, count(*) as messages
from broadcast b
join epoch e on e.epoch_id = b.epoch_id
group by e.session, b.epoch_id, b.kind
