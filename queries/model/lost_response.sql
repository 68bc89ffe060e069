-- Requests whose answer never arrived although their stream ended and was not resumed to it.
-- Not lost: cut by the end of the capture, cancelled while the stream was open, answered by an HTTP error, or in a polling pause
-- that was still within retry and slack when the capture ended.
with paused as (
  select p.stream_id, max(d.retry_ms) as retry_ms
  from delivery d join stream_part p on p.request_id = d.request_id
  group by p.stream_id
),
-- a part that was answered under another session is no part of this stream: its answer cannot come there
own_part as (
  select p.stream_id, r.request_id, p.part, p.is_resume, r.at_ns, r.finished_ns, r.end_state, r.is_stream, r.is_ok, r.is_span, r.saw_events, r.saw_response_body
  from stream_part p join request r on r.request_id = p.request_id
  where coalesce(r.response_session = r.request_session, true)
    and p.stream_id in (select stream_id from rpc_call where answered_request is null)
),
ending as (
  select stream_id, request_id as last_request, end_state, parts, closed_ns
  from (
    select stream_id, request_id, end_state, count(*) over (partition by stream_id) as parts, max(finished_ns) over (partition by stream_id) as closed_ns,
      row_number() over (partition by stream_id order by at_ns desc, part desc, request_id desc) as nth
    from own_part where is_stream or is_resume) x
  where nth = 1
),
led_elsewhere as (
  select distinct p.stream_id from stream_part p join request r on r.request_id = p.request_id
  where p.is_resume and r.response_session <> r.request_session
),
last_part as (
  select c.call_id, coalesce(t.last_request, c.request_id) as last_request, coalesce(t.end_state, c.end_state) as end_state,
    coalesce(t.closed_ns, c.finished_ns) as closed_ns, coalesce(t.parts, 1) as parts
  from rpc_call c
  left join ending t on t.stream_id = c.stream_id
  where c.outcome in ('unknown', 'completed') and c.answered_request is null and c.hop_nth = 1 and c.rpc_id is not null
),
-- every part of the stream must have been recorded, or the answer may have been in the part that was not
unseen as (
  select p.stream_id, min(p.request_id) as request_id
  from own_part p
  where p.is_ok and not p.is_span and ((p.is_stream and not p.saw_events) or (not p.is_stream and not p.saw_response_body))
  group by p.stream_id
)
select c.call_id, c.request_id, c.epoch_id, c.hop, c.session, c.rpc_id, c.rpc_method, c.tool, c.read_only, c.outcome, c.started_ns,
  l.last_request, l.closed_ns, l.parts,
  case when c.status is null and l.end_state not in ('truncated', 'timed-out', 'client-aborted') then 'no-answer' else l.end_state end as ended,
  c.cancelled_ns, c.source_id, c.locator
from last_part l
join rpc_call c on c.call_id = l.call_id
join request q on q.request_id = l.last_request
join request b on b.request_id = c.request_id
left join paused p on p.stream_id = c.stream_id
left join capture_end x on x.source_id = q.source_id
left join unseen u on u.stream_id = c.stream_id
left join led_elsewhere e on e.stream_id = c.stream_id
where (c.status is null or c.status between 200 and 299)
  and l.end_state <> 'open' and u.request_id is null
  -- an access log shows neither requests nor answers
  and (b.saw_request_body or b.is_span)
  and (c.answer_kind is null)
  -- a span that ended without an error had its answer, even where the span does not say so
  and (q.saw_events or q.saw_response_body or c.status is null or l.end_state in ('truncated', 'timed-out', 'client-aborted'))
  and not (l.end_state = 'polling' and e.stream_id is null
    and x.end_ns < l.closed_ns + 1000000 * coalesce(p.retry_ms, 0)
      + case when coalesce(p.retry_ms, 0) * 2000000 > 5000000000 then coalesce(p.retry_ms, 0) * 2000000 else 5000000000 end)
