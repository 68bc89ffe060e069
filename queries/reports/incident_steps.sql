-- Everything that was seen of the lineages of the given sessions, in order: what a picture of an incident shows around its findings.
with wanted as (
  select distinct l.lineage
  from epoch e
  join lineage l on l.epoch_id = e.epoch_id
  where e.session in (select tag from unnest(string_split($sessions, ' ')) as given(tag))
),
step as (
  select s.request_id
  from session_request s
  join lineage l on l.epoch_id = coalesce(s.epoch_id, s.response_epoch_id)
  where l.lineage in (select lineage from wanted)
)
select r.request_id, s.path as source, r.locator, r.vantage, r.started_ns, r.ended_ns, r.http_method, r.path, r.status,
  r.request_session, r.response_session, r.last_event_id, r.first_event_id, r.end_state, r.end_reason, r.backends, r.backend,
  r.rpc_method, r.rpc_id, r.tool, r.trace_id, r.span_id, r.at_ns, 0 as further
from request r
join source s on s.source_id = r.source_id
where r.request_id in (select request_id from step) and r.at_ns >= $from_ns and r.at_ns <= $until_ns
order by r.at_ns, r.request_id
limit 200
