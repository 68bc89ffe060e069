-- One row per logical SSE stream: the exchange that opened it and how its last part ended.
with piece as (
  select p.stream_id, r.request_id, p.part, r.http_method, r.at_ns, r.finished_ns, r.end_state, r.event_count, r.saw_events, r.is_ok,
    row_number() over (partition by p.stream_id order by r.at_ns desc, p.part desc, r.request_id desc) as from_end
  from stream_part p
  join request r on r.request_id = p.request_id
  where r.is_stream or p.is_resume
)
select p.stream_id, s.epoch_id, o.hop,
  case when o.http_method = 'GET' then 'listening' else 'call' end as kind,
  count(*) as parts, sum(p.event_count) as events,
  min(p.at_ns) as opened_ns, max(p.finished_ns) as closed_ns,
  max(case when p.from_end = 1 then p.end_state end) as end_state,
  max(case when p.from_end = 1 then p.request_id end) as last_request
from piece p
join request o on o.request_id = p.stream_id
left join session_request s on s.request_id = p.stream_id
group by p.stream_id, s.epoch_id, o.hop, o.http_method
