-- What had been delivered before a resume, as far as its first event and the ids around it are concerned.
with same_session as (
  select a.request_id,
    max(case when f.stream_id = a.stream_id then 1 else 0 end) as on_this_stream,
    max(case when f.stream_id <> a.stream_id then 1 else 0 end) as on_other_stream
  from resume_asked a
  join first_delivery f on f.epoch_id = a.epoch_id and f.event_id = a.first_event_id
  where f.first_ns < a.at_ns
  group by a.request_id
),
first_seen as (
  select event_id, epoch_id, hop, min(first_ns) as first_ns from first_delivery group by event_id, epoch_id, hop
),
other_session as (
  select a.request_id, min(f.epoch_id) as other_epoch
  from resume_asked a
  join first_seen f on f.event_id = a.first_event_id and f.hop = a.hop
  where f.epoch_id <> a.epoch_id and f.first_ns < a.at_ns
  group by a.request_id
),
-- Numbers between the last event and the first one that did arrive somewhere in the session.
jump as (
  select a.request_id, a.epoch_id, a.at_ns, a.cursor_stream, a.cursor_seq, a.first_seq
  from resume_asked a
  join id_family y on y.hop = a.hop
  where y.contiguous and a.first_seq - a.cursor_seq > 1
),
arrived as (
  select j.request_id, count(distinct f.id_seq) as arrived_between
  from jump j
  join first_delivery f on f.epoch_id = j.epoch_id and f.id_stream = j.cursor_stream
  where f.id_seq > j.cursor_seq and f.id_seq < j.first_seq and f.first_ns <= j.at_ns
  group by j.request_id
)
select a.request_id, coalesce(s.on_this_stream, 0) = 1 as on_this_stream, coalesce(s.on_other_stream, 0) = 1 as on_other_stream,
  o.other_epoch, coalesce(b.arrived_between, 0) as arrived_between
from resume_asked a
left join same_session s on s.request_id = a.request_id
left join other_session o on o.request_id = a.request_id
left join arrived b on b.request_id = a.request_id
