-- ---
-- id: resume-refused
-- title: A resume was refused loudly
-- explanation: "The endpoint {endpoint} refused {resumes} resumes with {status}. Failing loudly is what the contract wants."
-- severity: low
-- era: sessions
-- needs: [request-headers, status]
-- key: [endpoint, status]
-- remedy: Server - release the old stream when its client is gone, so that the resume can take over. Client - after a refusal that names the old stream wait and try again before giving up.
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
with refused as (
  select u.request_id, u.hop, u.session, u.epoch_id, u.status, u.at_ns, u.finished_ns, u.stream_held,
    row_number() over (partition by u.hop, u.status order by case when u.stream_held then 0 else 1 end, u.at_ns, u.request_id) as nth
  from resume u
  where u.verdict = 'refused' and not u.is_loss
),
-- gave up: no GET of the session was accepted afterwards
tried as (
  select epoch_id, max(at_ns) as last_ns, max(case when stream_held then 1 else 0 end) as held from refused group by epoch_id
),
gave_up as (
  select t.epoch_id from tried t
  where t.held = 1 and not exists (
    select 1 from mention m where m.epoch_id = t.epoch_id and m.role = 'request' and m.http_method = 'GET' and m.is_ok and m.at_ns > t.last_ns)
)
select min(case when f.nth = 1 then f.session end) as session, min(f.at_ns) as at_ns, max(f.finished_ns) as until_ns,
  case when count(g.epoch_id) > 0 then 'medium' else 'low' end as severity, 'definite' as confidence,
  string_agg(case when f.nth <= 20 then cast(f.request_id as varchar) end, ',' order by f.at_ns, f.request_id) as exchanges,
  f.hop as endpoint, f.status, count(*) as resumes, count(distinct f.session) as refused_sessions, count(g.epoch_id) > 0 as gave_up
from refused f
left join gave_up g on g.epoch_id = f.epoch_id and f.stream_held
group by f.hop, f.status
