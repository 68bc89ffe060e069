-- Resumes that bring nothing: the same cursor three times or more, a silent 2xx while an answer is due, or a listening stream opened
-- over and over. A stream that a balancer ends every minute is none of them: futile ones are closed within ten seconds.
with same_cursor as (
  select epoch_id, session, last_event_id, min(at_ns) as at_ns, max(finished_ns) as until_ns, count(*) as resumes,
    string_agg(cast(request_id as varchar), ',' order by at_ns, request_id) as exchanges, min(request_id) as first_request
  from (select *, row_number() over (partition by epoch_id, last_event_id order by at_ns, request_id) as nth from barren_resume
    where held_ns <= 10000000000 and end_state <> 'open') b
  group by epoch_id, session, last_event_id
  having count(*) >= 3
),
silent as (
  select b.epoch_id, b.session, b.last_event_id, min(b.at_ns) as at_ns, max(b.finished_ns) as until_ns, count(*) as resumes,
    string_agg(cast(b.request_id as varchar), ',' order by b.at_ns, b.request_id) as exchanges, min(b.request_id) as first_request
  from barren_resume b
  where b.answer_due and b.saw_events and b.event_count = 0 and (b.end_state <> 'open' or b.held_ns >= 30000000000)
    and not exists (select 1 from same_cursor s where s.epoch_id = b.epoch_id and s.last_event_id = b.last_event_id)
  group by b.epoch_id, b.session, b.last_event_id
),
opened as (
  select r.request_id, s.epoch_id, r.request_session as session, r.at_ns, r.finished_ns,
    case when r.finished_ns - r.at_ns <= 10000000000 and r.message_count = 0 and r.end_state <> 'open'
      and (r.is_stream or (r.response_type is null and r.status = 200)) and r.last_event_id is null
      -- where events are not recorded, only what was closed at once with hardly more than headers counts
      and (r.saw_events or (r.finished_ns - r.at_ns <= 2000000000 and coalesce(r.response_bytes, 0) <= 1024)) then 1 else 0 end as brief, r.saw_events
  from request r
  join session_request s on s.request_id = r.request_id
  where r.http_method = 'GET' and r.is_ok and s.epoch_id is not null and r.is_session_era
),
looped as (
  select epoch_id, session, request_id, at_ns, finished_ns, brief, saw_events,
    sum(1 - brief) over (partition by epoch_id order by at_ns, request_id rows between unbounded preceding and current row) as run
  from opened
),
loop as (
  select epoch_id, session, min(at_ns) as at_ns, max(finished_ns) as until_ns, count(*) as resumes,
    string_agg(case when nth <= 20 then cast(request_id as varchar) end, ',' order by at_ns, request_id) as exchanges, min(request_id) as first_request, bool_and(saw_events) as seen
  from (select *, row_number() over (partition by epoch_id, run order by at_ns, request_id) as nth from looped where brief = 1) x
  group by epoch_id, session, run
  having count(*) >= 5
)
select epoch_id, session, last_event_id, at_ns, until_ns, resumes, exchanges, first_request, 'same-cursor' as mode, true as seen from same_cursor
union all
select epoch_id, session, last_event_id, at_ns, until_ns, resumes, exchanges, first_request, 'silent', true from silent
union all
select epoch_id, session, null, at_ns, until_ns, resumes, exchanges, first_request, 'loop', seen from loop
