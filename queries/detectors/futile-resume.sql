-- ---
-- id: futile-resume
-- title: Resumes that bring nothing
-- explanation: "Session {session} was resumed {resumes} times and nothing new came ({mode})."
-- severity: medium
-- era: sessions
-- needs: [request-headers, status]
-- key: [session, mode, first_request]
-- remedy: Client - count attempts without progress and give up loudly. Server - refuse a cursor that you cannot serve instead of answering with an empty stream.
-- false-positives: ["A server with nothing to say that closes its listening stream at once"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"]
-- ---
select session, at_ns, until_ns, case when mode = 'loop' then 'low' else 'medium' end as severity, case when seen then 'definite' else 'probable' end as confidence,
  exchanges, first_request, mode, last_event_id, resumes
from futile_resume
