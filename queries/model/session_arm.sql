-- Each session at its owner and elsewhere: the first request of either kind, up to the first refusal, and whether it was known there.
-- One request per session and place, so that neither has more chances to fail than the other.
with placed as (
  select t.hop, t.epoch_id, t.request_id, t.at_ns, case t.outcome when 'lost' then 1 else 0 end as failed,
    case when t.backend = t.owner then 'home' else 'elsewhere' end as place,
    case when l.last_ns > t.at_ns then 1 else 0 end as owner_alive
  from session_step t
  join backend_life l on l.hop = t.hop and l.backend = t.owner
  where t.carried_session and t.backend is not null and t.outcome in ('ok', 'lost')
    and (t.first_lost_ns is null or t.at_ns <= t.first_lost_ns)
),
first_of as (
  select hop, epoch_id, request_id, at_ns, failed, place, owner_alive,
    row_number() over (partition by epoch_id, place order by at_ns, request_id) as nth
  from placed
)
select hop, epoch_id, request_id, at_ns, failed, place, owner_alive
from first_of
where nth = 1
