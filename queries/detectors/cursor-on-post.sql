-- ---
-- id: cursor-on-post
-- title: Last-Event-ID on a POST that asks for something new
-- explanation: "The client of session {session} sent Last-Event-ID on {posts} POSTs that carry new messages; such a POST resumes nothing."
-- severity: low
-- era: sessions
-- needs: [request-headers]
-- key: [session, first_request]
-- remedy: Client - send Last-Event-ID on the GET that resumes a stream and nowhere else.
-- false-positives: ["A log that does not know the body of a POST (then nothing is reported)"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
-- one per client: by lineage where there is one
with posted as (
  select r.request_id, r.request_session as session, r.at_ns, coalesce(l.lineage, -1) as lineage, r.hop,
    row_number() over (partition by coalesce(l.lineage, -1), r.hop order by r.at_ns, r.request_id) as nth
  from request r
  left join session_request s on s.request_id = r.request_id
  left join lineage l on l.epoch_id = s.epoch_id
  where nullif(r.last_event_id, '') is not null and r.is_session_era
    and r.request_id in (select request_id from client_message)
    and r.request_id not in (select request_id from resume_request)
)
select min(case when nth = 1 then session end) as session, min(at_ns) as at_ns, max(at_ns) as until_ns, 'low' as severity, 'definite' as confidence,
  string_agg(case when nth <= 20 then cast(request_id as varchar) end, ',' order by at_ns, request_id) as exchanges,
  min(case when nth = 1 then request_id end) as first_request, count(*) as posts
from posted
group by lineage, hop
