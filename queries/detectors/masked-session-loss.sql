-- ---
-- id: masked-session-loss
-- title: A lost session was answered with something else than 404
-- explanation: "Session {session} was unknown to the server, but the answer was {status}: the client cannot know that it must initialize anew. {answers} such answers."
-- severity: high
-- era: sessions
-- needs: [request-headers, status]
-- wants: [bodies]
-- key: [session, masked_request]
-- remedy: Server - answer 404 to a request whose session id is unknown, whatever else the body says. Gateway - pass the 404 of an upstream on, or re-initialize upstream before answering.
-- false-positives: ["An error text that mentions sessions without meaning the one of the request"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management"]
-- ---
-- one finding per life of a session and status: what matters is that the loss was hidden, not how often it was asked for
with hidden as (
  select r.request_id, r.request_session as session, s.epoch_id, r.status, r.at_ns, r.finished_ns,
    row_number() over (partition by s.epoch_id, r.status between 200 and 299 order by r.at_ns, r.request_id) as nth
  from request r
  join session_request s on s.request_id = r.request_id
  where r.is_loss and r.loss_in_body and r.status <> 404 and r.is_session_era
)
select session, min(at_ns) as at_ns, max(finished_ns) as until_ns,
  case when min(status) between 200 and 299 then 'high' else 'medium' end as severity, 'definite' as confidence,
  string_agg(case when nth <= 20 then cast(request_id as varchar) end, ',' order by at_ns, request_id) as exchanges,
  min(case when nth = 1 then request_id end) as masked_request, min(case when nth = 1 then status end) as status, count(*) as answers
from hidden
group by session, epoch_id, status between 200 and 299
union all
select session, at_ns, until_ns, 'medium', 'possible', exchanges, masked_request, 400, answers
from masked_by_status
