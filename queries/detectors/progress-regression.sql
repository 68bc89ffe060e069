-- ---
-- id: progress-regression
-- title: Progress that does not increase or that nobody asked for
-- explanation: "Session {session}: progress for token {progress_token} {kind}."
-- severity: medium
-- era: sessions
-- needs: [bodies]
-- key: [session, progress_token, first_request]
-- remedy: Server - progress increases with every notification and stops with the answer.
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress"]
-- ---
select e.session, min(g.at_ns) as at_ns, max(g.at_ns) as until_ns, 'medium' as severity, 'definite' as confidence,
  string_agg(case when g.nth <= 10 then cast(g.request_id as varchar) end, ',' order by g.at_ns, g.request_id) as exchanges,
  min(g.request_id) as first_request, g.progress_token, g.kind, count(*) as notifications
from odd_progress g
join epoch e on e.epoch_id = g.epoch_id
group by e.session, g.epoch_id, g.progress_token, g.kind
