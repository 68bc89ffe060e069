-- Every attempt to resume, in time order, with the verdict of the contract.
select
  v.session, v.last_event_id, v.fingerprint, v.status, v.response_session, v.first_event_id, v.verdict, v.via, v.at_ns,
  r.endpoint, s.path as source, v.locator
from resume v
join request r on r.request_id = v.request_id
join source s on s.source_id = v.source_id
order by v.at_ns, v.request_id
