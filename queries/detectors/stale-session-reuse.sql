-- ---
-- id: stale-session-reuse
-- title: A client kept using a session that the server had declared gone
-- explanation: "Session {session} was answered 404 and the client still sent {uses} more requests with it, without initialize in between."
-- severity: medium
-- era: sessions
-- needs: [request-headers, status]
-- params: { many: { type: integer, default: 10, min: 2, max: 100000 } }
-- key: [session, lost_request]
-- remedy: Client - on 404 drop the session id and send initialize without it; treat calls in flight as unknown outcome.
-- false-positives: ["A capture that does not show the connection on which the client initialized anew"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management"]
-- ---
-- from the first 404 after the last success; what was already on its way when the refusal arrived does not count
with dead as (
  select e.epoch_id, e.session, e.lost_request, e.lost_ns, r.finished_ns as refused_ns, l.lineage
  from epoch e
  join request r on r.request_id = e.lost_request
  join lineage l on l.epoch_id = e.epoch_id
  where e.ended_by = 'lost' and e.lost_status = 404
),
-- the same client's next life ends the episode
reborn as (
  select d.epoch_id, min(n.issued_ns) as reborn_ns
  from dead d
  join succession s on s.before_id = d.epoch_id
  join epoch n on n.epoch_id = s.epoch_id
  where n.issued_ns > d.lost_ns
  group by d.epoch_id
),
used as (
  select d.epoch_id, d.session, d.lost_request, d.lost_ns, m.request_id, m.at_ns,
    row_number() over (partition by d.epoch_id order by m.at_ns, m.request_id) as nth
  from dead d
  join mention m on m.epoch_id = d.epoch_id and m.role = 'request' and m.request_id <> d.lost_request and m.at_ns >= d.refused_ns
  left join reborn b on b.epoch_id = d.epoch_id
  where b.reborn_ns is null or m.at_ns < b.reborn_ns
)
select session, lost_ns as at_ns, max(at_ns) as until_ns,
  case when count(*) >= $many then 'high' else 'medium' end as severity, 'definite' as confidence,
  cast(lost_request as varchar) || ',' || string_agg(case when nth <= 20 then cast(request_id as varchar) end, ',' order by at_ns, request_id) as exchanges,
  lost_request, count(*) as uses
from used
group by epoch_id, session, lost_request, lost_ns
having count(*) >= 2
