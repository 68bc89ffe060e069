-- Every life of a session id, with the place where it was first seen.
select
  e.session, e.epoch_id, e.ordinal as life, l.lineage, e.first_ns, e.last_ns, e.issued, e.ended_by, e.lost_ns, e.lost_status,
  e.requests, e.backend, e.client, e.user_agent, e.client_info, e.server_info, r.endpoint, r.vantage,
  s.path as source, r.locator
from epoch e
join lineage l on l.epoch_id = e.epoch_id
join request r on r.request_id = coalesce(e.issued_request, (select min(m.request_id) from mention m where m.epoch_id = e.epoch_id))
join source s on s.source_id = r.source_id
order by e.first_ns, e.epoch_id
