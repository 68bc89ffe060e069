-- What can fail, once each: a session that was at risk, an attempt to resume. With it where its fate was decided:
-- 'moved' (its owner was gone), 'new' (at an instance that had just appeared), 'elsewhere' (owner alive), 'home', 'unknown'.
with unit as (
  select 'session' as unit, epoch_id as unit_id, epoch_id, hop, owner, failed_backend as backend, fate, failed_ns as at_ns,
    last_step_ns as seen_ns, failed_request as request_id, failed_wait_ns as wait_ns,
    case fate when 'kept' then 0 else 1 end as failed
  from session_fate
  where fate <> 'kept' or ok_steps > 1
  union all
  select 'resume' as unit, request_id as unit_id, epoch_id, hop, owner, backend, case failed when 1 then 'lost' else 'kept' end as fate, at_ns,
    at_ns as seen_ns, request_id, case failed when 1 then waited_ns end as wait_ns, failed
  from resume_attempt
),
gone as (
  select l.hop, l.backend, l.last_ns, w.window_id
  from backend_life l
  join backend_window w on w.hop = l.hop and w.backend = l.backend and w.what = 'gone'
),
fresh as (
  select hop, backend, at_ns, window_id from backend_window where what = 'new'
)
select u.unit, u.unit_id, u.epoch_id, u.hop, u.owner, u.backend, u.fate, u.failed, u.at_ns, u.request_id, u.wait_ns,
  case
    when u.owner is null then 'unknown'
    when u.seen_ns > g.last_ns then 'moved'
    when u.failed = 0 or u.backend is null then 'home'
    when u.backend = u.owner then 'home'
    when u.at_ns >= n.at_ns then 'new'
    else 'elsewhere'
  end as place,
  case when u.seen_ns > g.last_ns then g.window_id when u.failed = 1 and u.backend <> u.owner and u.at_ns >= n.at_ns then n.window_id end as window_id
from unit u
left join gone g on g.hop = u.hop and g.backend = u.owner
left join fresh n on n.hop = u.hop and n.backend = u.backend
