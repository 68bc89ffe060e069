-- What had been delivered before a resume, as far as its first event and the ids around it are concerned.
with asked as (
  select q.request_id, q.epoch_id, q.via, p.stream_id, r.hop, r.at_ns, r.first_event_id, r.last_event_id,
    r.cursor_stream, r.cursor_seq, r.cursor_session, r.cursor_family
  from resume_request q
  join request r on r.request_id = q.request_id
  join stream_part p on p.request_id = q.request_id
),
first_event as (
  select a.request_id, d.id_family, d.id_stream, d.id_seq, d.id_session,
    row_number() over (partition by a.request_id order by d.ordinal) as nth
  from asked a join delivery d on d.request_id = a.request_id
  where d.event_id is not null
),
same_session as (
  select a.request_id,
    max(case when f.stream_id = a.stream_id then 1 else 0 end) as on_this_stream,
    max(case when f.stream_id <> a.stream_id then 1 else 0 end) as on_other_stream
  from asked a
  join first_delivery f on f.epoch_id = a.epoch_id and f.event_id = a.first_event_id
  where f.first_ns < a.at_ns
  group by a.request_id
),
first_seen as (
  select event_id, epoch_id, min(first_ns) as first_ns from first_delivery group by event_id, epoch_id
),
other_session as (
  select a.request_id, min(f.epoch_id) as other_epoch
  from asked a
  join first_seen f on f.event_id = a.first_event_id
  where f.epoch_id <> a.epoch_id and f.first_ns < a.at_ns
  group by a.request_id
),
-- Numbers between the last event and the first one that did arrive somewhere in the session.
arrived as (
  select a.request_id, count(distinct f.id_seq) as arrived_between
  from asked a
  join first_event e on e.request_id = a.request_id and e.nth = 1
  join id_family y on y.hop = a.hop and y.contiguous
  join first_delivery f on f.epoch_id = a.epoch_id and f.id_stream = a.cursor_stream and f.id_seq > a.cursor_seq and f.id_seq < e.id_seq
  where f.first_ns <= a.at_ns and e.id_seq - a.cursor_seq > 1
  group by a.request_id
)
select a.request_id, a.epoch_id, a.via, a.stream_id, a.hop,
  e.id_family as first_family, e.id_stream as first_stream, e.id_seq as first_seq, e.id_session as first_session,
  coalesce(s.on_this_stream, 0) = 1 as on_this_stream, coalesce(s.on_other_stream, 0) = 1 as on_other_stream,
  o.other_epoch, coalesce(b.arrived_between, 0) as arrived_between
from asked a
left join first_event e on e.request_id = a.request_id and e.nth = 1
left join same_session s on s.request_id = a.request_id
left join other_session o on o.request_id = a.request_id
left join arrived b on b.request_id = a.request_id
