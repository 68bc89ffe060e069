-- ---
-- id: initialize-with-session
-- title: initialize carries a session id
-- explanation: "initialize was sent with session id {session} ({requests} times); a new session begins without one."
-- severity: low
-- era: sessions
-- needs: [request-headers]
-- key: [session, first_request]
-- remedy: Client - drop the old session id before initialize.
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management"]
-- ---
with carried as (
  select request_id, request_session as session, response_session, at_ns, finished_ns, hop, status,
    row_number() over (partition by hop, request_session order by at_ns, request_id) as nth
  from request
  where is_initialize and request_session is not null and is_session_era
)
select session, min(at_ns) as at_ns, max(finished_ns) as until_ns, 'low' as severity, 'definite' as confidence,
  string_agg(case when nth <= 20 then cast(request_id as varchar) end, ',' order by at_ns, request_id) as exchanges,
  min(case when nth = 1 then request_id end) as first_request, count(*) as requests, min(case when nth = 1 then status end) as status
from carried
group by hop, session
