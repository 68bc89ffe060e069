-- Requests whose Last-Event-ID the presented session had not issued as a complete event, as far as the capture shows.
with known as (
  select epoch_id, event_id, min(first_ns) as first_ns from first_delivery group by epoch_id, event_id
  union all
  select s.epoch_id, r.last_cursor, min(r.at_ns)
  from request r join session_request s on s.request_id = r.request_id
  where r.last_cursor is not null and s.epoch_id is not null group by s.epoch_id, r.last_cursor
),
issued as (
  select epoch_id, event_id, min(first_ns) as first_ns from known group by epoch_id, event_id
)
select request_id, hop, at_ns, finished_ns, status, session, epoch_id, last_event_id, cursor_family, cursor_stream, cursor_seq, cursor_session
from (
select r.request_id, r.hop, r.at_ns, r.finished_ns, r.status, r.request_session as session, s.epoch_id, r.last_event_id,
  r.cursor_family, r.cursor_stream, r.cursor_seq, r.cursor_session,
  -- a client that repeats itself has made one mistake; the accepted request is the worst of them
  row_number() over (partition by s.epoch_id, r.last_event_id order by case when r.is_ok then 0 else 1 end, r.at_ns, r.request_id) as nth
from request r
join session_request s on s.request_id = r.request_id
left join issued k on k.epoch_id = s.epoch_id and k.event_id = r.last_event_id and k.first_ns <= r.at_ns
where nullif(r.last_event_id, '') is not null and s.epoch_id is not null and r.is_session_era and k.epoch_id is null
) x
where nth = 1
