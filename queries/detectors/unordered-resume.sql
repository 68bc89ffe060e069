-- ---
-- id: unordered-resume
-- title: Nothing proves that resumed streams go on after the last event
-- explanation: "The endpoint {endpoint} answered {resumes} resumes with event ids that cannot be ordered after the cursor."
-- severity: info
-- era: sessions
-- needs: [request-headers, response-headers, events]
-- key: [endpoint]
-- remedy: Server - use event ids that can be ordered within their stream.
-- false-positives: ["Servers with random event ids are within the specification"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
select min(session) as session, min(at_ns) as at_ns, max(finished_ns) as until_ns, 'info' as severity, 'definite' as confidence,
  string_agg(case when nth <= 20 then cast(request_id as varchar) end, ',' order by at_ns, request_id) as exchanges,
  hop as endpoint, count(*) as resumes
from (select request_id, hop, session, at_ns, finished_ns, row_number() over (partition by hop order by at_ns, request_id) as nth
  from resume where verdict = 'unorderable') x
group by hop
