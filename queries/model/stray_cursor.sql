-- Cursors that the presented session never issued: of another session (cross-epoch), of an event cut before it was complete, or of none.
with cut as (
  select a.request_id, min(v.request_id) as cut_request
  from unknown_cursor a
  join session_request s on s.epoch_id = a.epoch_id
  join voice v on v.request_id = s.request_id
  join event e on e.exchange_id = v.exchange_id and e.event_id = a.last_event_id
  where not e.complete
  group by a.request_id
),
-- whole: the session was seen from its start and no stream of it went unrecorded
unseen as (
  select s.epoch_id, min(r.at_ns) as unseen_ns
  from request r join session_request s on s.request_id = r.request_id
  where (r.is_stream and not r.saw_events) or (not r.is_stream and not r.saw_response_body)
  group by s.epoch_id
)
select a.request_id, a.hop, a.at_ns, a.finished_ns, a.status, a.session, a.epoch_id, a.last_event_id, p.other_session, p.proof,
  coalesce(case when p.proof is not null then p.issued_request end, c.cut_request) as issued_request,
  case
    when p.proof is not null then 'cross-epoch'
    when c.request_id is not null then 'partial-frame'
    when e.issued and (u.unseen_ns is null or u.unseen_ns >= a.at_ns) then 'never-issued'
  end as kind
from unknown_cursor a
join epoch e on e.epoch_id = a.epoch_id
left join cursor_proof p on p.request_id = a.request_id and p.proof is not null
left join cut c on c.request_id = a.request_id
left join unseen u on u.epoch_id = a.epoch_id
