-- Proof that a cursor belongs to another session: its id names that session; it is unique and was issued there alone; or, for a bare
-- counter, it exceeds all that this session issued and the client had lost the other session just before.
with elsewhere as (
  select a.request_id, count(distinct f.epoch_id) as epochs, min(f.epoch_id) as other_epoch, min(f.first_request) as issued_request
  from unknown_cursor a
  join first_delivery f on f.event_id = a.last_event_id and f.hop = a.hop
  where f.epoch_id <> a.epoch_id and f.first_ns <= a.at_ns
  group by a.request_id
),
top as (
  select a.request_id, max(f.id_seq) as top_seq
  from unknown_cursor a
  join first_delivery f on f.epoch_id = a.epoch_id and f.id_stream is not distinct from a.cursor_stream
  where f.first_ns <= a.at_ns
  group by a.request_id
),
before as (
  select a.request_id, s.before_id, e.first_ns, b.lost_ns, f.first_request as issued_request
  from unknown_cursor a
  join succession s on s.epoch_id = a.epoch_id
  join epoch e on e.epoch_id = a.epoch_id
  join epoch b on b.epoch_id = s.before_id
  join first_delivery f on f.epoch_id = s.before_id and f.event_id = a.last_event_id
)
select a.request_id,
  case when a.cursor_session is not null and a.cursor_session <> a.session then a.cursor_session else o.session end as other_session,
  coalesce(x.issued_request, b.issued_request) as issued_request,
  case
    when a.cursor_session is not null and a.cursor_session <> a.session then 'names-session'
    when x.epochs = 1 and (a.cursor_family in ('typescript', 'ulid', 'uuid7', 'snowflake', 'java', 'csharp')
      or (a.cursor_family = 'go' and a.cursor_stream <> '') or (a.cursor_family = 'opaque' and length(a.last_event_id) >= 8)) then 'unique'
    when b.before_id is not null and a.cursor_seq > coalesce(t.top_seq, -1) and b.lost_ns is not null and b.lost_ns <= a.at_ns
      and a.at_ns - b.lost_ns <= 600000000000 then 'counter'
  end as proof
from unknown_cursor a
left join elsewhere x on x.request_id = a.request_id
left join top t on t.request_id = a.request_id
left join before b on b.request_id = a.request_id
left join epoch o on o.epoch_id = case when b.before_id is not null then b.before_id else x.other_epoch end
where a.cursor_session is not null or x.request_id is not null or b.request_id is not null
