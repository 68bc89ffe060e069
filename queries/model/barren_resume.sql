-- Accepted resumes that brought no message the client did not have, and whether an answer was due on their stream.
with fresh as (
  select m.request_id, count(*) as messages
  from server_message m
  join resume u on u.request_id = m.request_id
  where not exists (select 1 from replay y where y.request_id = m.request_id and y.ordinal = m.event_ordinal)
  group by m.request_id
),
due as (
  select distinct c.stream_id from rpc_call c where c.answered_request is null and c.outcome in ('unknown', 'cancelled') and c.is_stream
)
select u.request_id, u.epoch_id, u.session, u.last_event_id, u.stream_id, u.at_ns, u.finished_ns, u.end_state, u.first_event_id,
  r.event_count, r.response_bytes, r.saw_events, d.stream_id is not null as answer_due,
  -- a stream that is still open was held to the end of the capture
  case when u.end_state = 'open' then x.end_ns else u.finished_ns end - u.at_ns as held_ns
from resume u
join request r on r.request_id = u.request_id
left join fresh f on f.request_id = u.request_id
left join due d on d.stream_id = u.stream_id
left join capture_end x on x.source_id = u.source_id
where u.status between 200 and 299 and u.verdict <> 'epoch-merge' and f.request_id is null and u.epoch_id is not null
  and (r.response_type is null or r.response_type = 'text/event-stream' or r.event_count > 0 or not r.saw_response_headers)
