-- Every resume with its cursor and the first event that came back, both taken apart.
with first_event as (
  select d.request_id, min(d.ordinal) as ordinal
  from resume_request q join delivery d on d.request_id = q.request_id
  where d.event_id is not null
  group by d.request_id
)
select q.request_id, q.epoch_id, q.via, p.stream_id, r.hop, r.at_ns, r.first_event_id, r.last_event_id,
  r.cursor_family, r.cursor_stream, r.cursor_seq, r.cursor_session,
  e.id_family as first_family, e.id_stream as first_stream, e.id_seq as first_seq, e.id_session as first_session
from resume_request q
join request r on r.request_id = q.request_id
join stream_part p on p.request_id = q.request_id
left join first_event f on f.request_id = q.request_id
left join delivery e on e.request_id = f.request_id and e.ordinal = f.ordinal
