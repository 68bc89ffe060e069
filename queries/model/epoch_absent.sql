-- Answers without a session id where the same endpoint names it on the same kind of response elsewhere: one row per session.
-- Where an endpoint is silent as often as not, silence says nothing.
with bare as (
  select r.request_id, r.hop, r.at_ns, r.finished_ns, r.status, r.request_session as session, s.epoch_id, r.event_count, r.message_count,
    q.request_id is not null as is_resume,
    row_number() over (partition by s.epoch_id order by r.at_ns, r.request_id) as nth,
    count(*) over (partition by s.epoch_id) as requests
  from request r
  join session_request s on s.request_id = r.request_id
  join echo_profile p on p.hop = r.hop and p.http_method = r.http_method
    and p.answer = case when r.is_stream then 'stream' when r.status = 202 or r.status = 204 then 'accepted' else 'body' end
  left join resume_request q on q.request_id = r.request_id
  where r.is_ok and r.is_session_era and not r.is_initialize and r.saw_response_headers and not r.is_loss
    and r.request_session is not null and r.response_session is null and r.http_method <> 'DELETE'
    and p.echoed > p.silent
)
select session, epoch_id, at_ns, finished_ns as until_ns, status, request_id as seam_request, requests, hop,
  case when event_count > 0 or message_count > 0 then 'delivered' else 'refused' end as consequence,
  case when is_resume then 'resume' else 'request' end as "trigger",
  cast(request_id as varchar) as exchanges
from bare
where nth = 1
