-- What happened to the lineages of a session: its requests in time order.
with wanted as (
  select distinct l.lineage
  from epoch e
  join lineage l on l.epoch_id = e.epoch_id
  where e.session = $session
),
step as (
  select s.request_id, l.lineage
  from session_request s
  join lineage l on l.epoch_id = coalesce(s.epoch_id, s.response_epoch_id)
  join wanted w on w.lineage = l.lineage
)
select
  r.at_ns, r.ended_ns, p.lineage, r.http_method, r.path, r.status, r.request_session, r.response_session, r.last_event_id,
  r.first_event_id, r.event_count, r.end_state, r.end_reason, r.rpc_method, r.rpc_id, r.tool, r.backend, r.backends, r.vantage, r.is_loss, r.is_initialize,
  v.verdict, s.path as source, r.locator
from step p
join request r on r.request_id = p.request_id
join source s on s.source_id = r.source_id
left join resume v on v.request_id = r.request_id
order by r.at_ns, r.request_id
