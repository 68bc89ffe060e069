-- What can make a client repeat itself: cut streams, time-outs, 5xx, losses, changes of epoch, cancellations.
-- A tool error is an answer, not a fault.
with touched as (
  select r.request_id, s.epoch_id, r.hop, p.stream_id, r.status, r.end_state, r.is_loss, r.is_initialize, r.http_method, r.finished_ns, r.at_ns,
    s.response_epoch_id is not null and s.response_epoch_id <> s.epoch_id and not r.is_initialize and r.is_ok as is_merge
  from request r
  join stream_part p on p.request_id = r.request_id
  left join session_request s on s.request_id = r.request_id
)
select request_id, epoch_id, hop, stream_id,
  -- a change of session is there with the first byte of the answer, the others show at its end
  case when is_merge then at_ns else finished_ns end as at_ns,
  case
    when is_loss then 'loss'
    when is_merge then 'epoch-change'
    when status >= 500 then '5xx'
    when status is null then 'no-answer'
    when end_state = 'truncated' then 'cut'
    when end_state = 'timed-out' then 'time-out'
    else 'aborted'
  end as kind
from touched
where is_loss or is_merge or status >= 500 or end_state in ('truncated', 'timed-out', 'client-aborted') or (status is null and end_state <> 'open')
union all
-- a stream that ended cleanly, but without the answer it was for
select c.request_id, c.epoch_id, c.hop, c.stream_id, c.finished_ns, 'ended-early'
from rpc_call c
where c.outcome in ('unknown', 'completed') and c.answered_request is null and c.is_stream and c.end_state in ('complete', 'polling')
union all
select c.request_id, c.epoch_id, c.hop, k.stream_id, c.at_ns, 'cancelled'
from client_message c
join call_turn t on t.request_id = c.request_id and t.what = 'cancel'
join call_request k on k.call_id = t.call_id
where c.rpc_method = 'notifications/cancelled'
