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
with refused as (
  select m.epoch_id, e.session, m.request_id as lost_request, m.at_ns as lost_ns, r.finished_ns as refused_ns, e.deleted_ns,
    row_number() over (partition by m.epoch_id order by m.at_ns, m.request_id) as nth
  from mention m
  join request r on r.request_id = m.request_id
  join epoch e on e.epoch_id = m.epoch_id
  where m.is_loss and m.role = 'request' and r.status = 404 and (e.last_ok_ns is null or m.at_ns > e.last_ok_ns)
),
dead as (
  select epoch_id, session, lost_request, lost_ns, refused_ns, deleted_ns from refused where nth = 1
),
-- A session that its client had ended leaves no trace of succession: the client's next one is looked for by who it is.
ended_turn as (
  select k.client_key, d.lost_ns as at_ns, d.epoch_id, 0 as begins from dead d join client_key k on k.epoch_id = d.epoch_id
  where d.deleted_ns is not null and k.client_key is not null
  union all
  select k.client_key, e.issued_ns, e.epoch_id, 1 from epoch e join client_key k on k.epoch_id = e.epoch_id
  where e.issued and k.client_key in (select o.client_key from client_key o join dead d on d.epoch_id = o.epoch_id and d.deleted_ns is not null)
),
ended_next as (
  select epoch_id, begins,
    min(case when begins = 1 then at_ns end) over (
      partition by client_key order by at_ns, begins, epoch_id rows between 1 following and unbounded following) as reborn_ns
  from ended_turn
),
-- the same client's next life ends the episode
reborn as (
  select epoch_id, min(reborn_ns) as reborn_ns
  from (
    select d.epoch_id, n.issued_ns as reborn_ns
    from dead d
    join succession s on s.before_id = d.epoch_id
    join epoch n on n.epoch_id = s.epoch_id
    where n.issued_ns > d.lost_ns
    union all
    select epoch_id, reborn_ns from ended_next where begins = 0) x
  group by epoch_id
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
