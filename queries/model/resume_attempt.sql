-- Attempts to resume, one row each, up to the loss of the session; refusals of the same cursor in a row are one attempt that was repeated.
with attempt as (
  select r.request_id, r.epoch_id, r.hop, r.at_ns, t.owner, t.backend, t.waited_ns,
    case when r.verdict in ('session-gone', 'refused', 'epoch-merge', 'foreign') then 1 else 0 end as failed,
    lag(case when r.verdict in ('session-gone', 'refused', 'epoch-merge', 'foreign') then r.last_event_id end)
      over (partition by r.epoch_id order by r.at_ns, r.request_id) as refused_before,
    r.last_event_id
  from resume r
  join session_step t on t.request_id = r.request_id and t.epoch_id = r.epoch_id
  where t.first_lost_ns is null or r.at_ns <= t.first_lost_ns
)
select request_id, epoch_id, hop, at_ns, owner, backend, waited_ns, failed
from attempt
where failed = 0 or refused_before is null or refused_before <> last_event_id
