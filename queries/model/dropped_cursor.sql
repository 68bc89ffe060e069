-- Streams that had delivered event ids and ended, and the GET without Last-Event-ID that the client opened next. One row per such GET.
with held as (
  select t.stream_id, t.epoch_id, t.kind, t.closed_ns, t.last_request
  from stream t
  where t.epoch_id is not null and t.end_state <> 'open'
    and exists (select 1 from delivery d join stream_part p on p.request_id = d.request_id where p.stream_id = t.stream_id and d.event_id is not null
      and (t.kind = 'call' or not d.priming))
),
-- a call that had its answer leaves nothing to resume
owing as (
  select h.stream_id, h.epoch_id, h.kind, h.closed_ns, h.last_request
  from held h
  where (h.kind = 'call' and exists (select 1 from rpc_call c where c.stream_id = h.stream_id and c.answered_request is null and c.outcome in ('unknown', 'completed')))
    or (h.kind = 'listening' and exists (
      select 1 from server_message m join stream_part p on p.request_id = m.request_id where p.stream_id = h.stream_id))
),
bare as (
  select s.epoch_id, r.request_id, r.at_ns, r.finished_ns, r.request_session as session,
    -- until when the client had listened before, on a stream that gave it no cursor
    max(case when r.last_cursor is null and r.first_event_id is null then r.finished_ns end)
      over (partition by s.epoch_id order by r.at_ns, r.request_id rows between 1 preceding and 1 preceding) as listened_until_ns
  from request r join session_request s on s.request_id = r.request_id
  where r.http_method = 'GET' and r.request_session is not null and r.last_event_id is null and r.saw_request_headers and r.is_session_era
),
next_get as (
  select o.stream_id, o.kind, o.last_request, b.request_id as get_request, b.session, b.at_ns, b.finished_ns,
    row_number() over (partition by o.stream_id order by b.at_ns, b.request_id) as nth
  from owing o join bare b on b.epoch_id = o.epoch_id
  where b.at_ns >= o.closed_ns and b.request_id <> o.stream_id
    -- a listening stream that has ended as well is opened again without a cursor of its own
    and (o.kind = 'listening' or b.listened_until_ns is null or b.listened_until_ns > b.at_ns)
)
select session, get_request, stream_id as stream_request, kind as stream, at_ns, finished_ns as until_ns,
  case when kind = 'call' then 'medium' else 'low' end as severity
from (
  select *, row_number() over (partition by get_request order by case when kind = 'call' then 0 else 1 end, stream_id) as choice
  from next_get where nth = 1) x
where choice = 1
