-- ---
-- id: unacknowledged-resume
-- title: An endpoint answers resumes without naming the session
-- explanation: "The endpoint {endpoint} answered {resumes} resumes 2xx without Mcp-Session-Id: nothing binds the events to the session."
-- severity: info
-- era: sessions
-- needs: [request-headers, response-headers, status]
-- key: [endpoint]
-- remedy: Server - name the session on every response, also on the answer to a resume, so that a client can check it.
-- false-positives: ["SDKs that send the header on initialize only (go, rmcp, java) are within the specification"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management"]
-- ---
select min(r.session) as session, min(r.at_ns) as at_ns, max(r.finished_ns) as until_ns, 'info' as severity, 'definite' as confidence,
  string_agg(case when r.nth <= 20 then cast(r.request_id as varchar) end, ',' order by r.at_ns, r.request_id) as exchanges,
  r.hop as endpoint, count(*) as resumes
from (select request_id, hop, session, at_ns, finished_ns, verdict, row_number() over (partition by hop order by at_ns, request_id) as nth
  from resume where verdict = 'unacknowledged') r
where not exists (select 1 from echo_profile p where p.hop = r.hop and p.http_method = 'GET' and p.echoed > 0)
group by r.hop
