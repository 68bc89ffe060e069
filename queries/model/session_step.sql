-- Every request of a session as a step of that session's life: what came of it, where it went and how long the session had been idle before it.
with step as (
  select r.request_id, e.epoch_id, e.hop, e.backend as owner, r.backend, r.at_ns, r.finished_ns, r.http_method, r.is_ok,
    nullif(r.request_session, '') is not null as carried_session,
    -- a session begins with initialize, and where a server mints one instead of an unknown one
    r.is_ok and (nullif(r.request_session, '') is null or coalesce(nullif(r.response_session, '') <> r.request_session, false)) as begins,
    case
      when r.is_loss then 'lost'
      when r.is_ok and r.http_method = 'DELETE' then 'ended'
      -- Answered under another session: the old one is gone, unless this was, or may have been, a new initialize with a stale id.
      when r.is_ok and nullif(r.request_session, '') is not null and nullif(r.response_session, '') is not null
        and r.request_session <> r.response_session
        then case when r.is_initialize or (r.rpc_method is null and r.last_event_id is null and r.http_method = 'POST')
          then 'other' else 'lost' end
      when r.is_ok then 'ok'
      when r.status in (502, 503, 504, 520, 521, 522, 523, 524) then 'gateway'
      -- Nobody answered: the proxy, or the client, gave up.
      when r.http_method = 'POST' and r.end_state in ('timed-out', 'client-aborted') then 'gateway'
      else 'other'
    end as outcome
  from request r
  join session_request s on s.request_id = r.request_id
  join epoch e on e.epoch_id = coalesce(s.epoch_id, s.response_epoch_id)
  where r.is_session_era and r.at_ns is not null
),
run as (
  select request_id, epoch_id, hop, owner, backend, at_ns, finished_ns, http_method, is_ok, carried_session, begins, outcome,
    min(case when outcome = 'ended' then at_ns end) over whole as deleted_ns,
    min(case when outcome = 'lost' then at_ns end) over whole as first_lost_ns,
    max(case when outcome = 'ok' then at_ns end) over whole as last_ok_ns,
    max(case when outcome = 'ok' then finished_ns end) over before as busy_until_ns,
    max(case when outcome = 'ok' and http_method <> 'GET' then finished_ns end) over before as called_until_ns
  from step
  window whole as (partition by epoch_id order by at_ns, request_id rows between unbounded preceding and unbounded following),
    before as (partition by epoch_id order by at_ns, request_id rows between unbounded preceding and 1 preceding)
)
select request_id, epoch_id, hop, owner, backend, at_ns, http_method, carried_session, begins, outcome, deleted_ns, first_lost_ns, last_ok_ns,
  -- Who was answered under another session did not wait for the loss: the stream that came instead may have lasted.
  case when finished_ns > at_ns and not (outcome = 'lost' and is_ok) then finished_ns - at_ns else 0 end as waited_ns,
  -- Some servers count an open stream as use, others only calls: both pauses are kept.
  case when at_ns > busy_until_ns then at_ns - busy_until_ns else 0 end as idle_ns,
  case when at_ns > called_until_ns then at_ns - called_until_ns else 0 end as uncalled_ns
from run
