-- ---
-- id: concurrent-resume
-- title: Two resumes of one cursor ran at once
-- explanation: "Session {session} had two overlapping resumes after {last_event_id}, both accepted."
-- severity: medium
-- era: sessions
-- needs: [request-headers, status]
-- key: [session, last_event_id, first_request]
-- remedy: Client - wait for the end of a resume before the next. Server - end the older one, or refuse the newer with 409.
-- false-positives: ["A proxy that logs the end of a dead connection late"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
-- both sorted by start: only the one before can overlap first
with open_until as (
  select request_id, session, epoch_id, last_event_id, at_ns, finished_ns,
    max(finished_ns) over (partition by epoch_id, last_event_id order by at_ns, request_id rows between unbounded preceding and 1 preceding) as busy_ns,
    lag(request_id) over (partition by epoch_id, last_event_id order by at_ns, request_id) as before_request
  from resume
  where status between 200 and 299 and epoch_id is not null and verdict not in ('epoch-merge')
),
overlap as (
  select *, row_number() over (partition by epoch_id, last_event_id order by at_ns, request_id) as nth
  from open_until
  where busy_ns > at_ns
)
select session, min(at_ns) as at_ns, max(finished_ns) as until_ns, 'medium' as severity, 'definite' as confidence,
  cast(min(case when nth = 1 then before_request end) as varchar) || ',' || string_agg(case when nth <= 20 then cast(request_id as varchar) end, ',' order by at_ns, request_id) as exchanges,
  min(case when nth = 1 then before_request end) as first_request, last_event_id, count(*) + 1 as resumes
from overlap
group by session, epoch_id, last_event_id
