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
-- Whole: the session was seen from its start and no answer that may have carried ids went unrecorded.
unseen as (
  select s.epoch_id, min(r.at_ns) as unseen_ns
  from request r join session_request s on s.request_id = r.request_id
  where r.is_ok and not r.saw_events and (r.is_stream or (r.response_type is null and not r.saw_response_body))
  group by s.epoch_id
),
-- A bare counter proves less than the session's own frame of that number.
proven as (
  select p.request_id, p.other_session, p.issued_request, p.proof
  from cursor_proof p
  left join cut c on c.request_id = p.request_id
  where p.proof is not null and (p.proof <> 'counter' or c.request_id is null)
)
select a.request_id, a.hop, a.at_ns, a.finished_ns, a.status, a.session, a.epoch_id, a.last_event_id, p.other_session, p.proof,
  coalesce(p.issued_request, c.cut_request) as issued_request,
  case
    when p.proof is not null then 'cross-epoch'
    when c.request_id is not null then 'partial-frame'
    when e.issued and (u.unseen_ns is null or u.unseen_ns >= a.at_ns) then 'never-issued'
  end as kind
from unknown_cursor a
join epoch e on e.epoch_id = a.epoch_id
left join proven p on p.request_id = a.request_id
left join cut c on c.request_id = a.request_id
left join unseen u on u.epoch_id = a.epoch_id
