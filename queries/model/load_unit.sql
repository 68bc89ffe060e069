-- What can fail, once each: a session that was at risk, an attempt to resume. With it where its fate was decided:
-- 'moved' (its owner was gone), 'new' (at an instance that had just appeared), 'elsewhere' (owner alive), 'home', 'unknown'.
with strayed as (
  select epoch_id from session_arm where place = 'elsewhere' and failed = 0
),
unit as (
  select 'session' as unit, f.epoch_id as unit_id, f.epoch_id, f.hop, f.owner, f.failed_backend as backend, f.fate, f.failed_ns as at_ns,
    f.born_ns, f.last_step_ns as seen_ns, f.failed_request as request_id, f.failed_wait_ns as wait_ns,
    case f.fate when 'kept' then 0 else 1 end as failed, s.epoch_id is not null as strayed
  from session_fate f
  left join strayed s on s.epoch_id = f.epoch_id
  where f.fate <> 'kept' or f.ok_steps > 1
  union all
  select 'resume' as unit, request_id as unit_id, epoch_id, hop, owner, backend, case failed when 1 then 'lost' else 'kept' end as fate, at_ns,
    at_ns as born_ns, at_ns as seen_ns, request_id, case failed when 1 then waited_ns end as wait_ns, failed,
    backend is distinct from owner as strayed
  from resume_attempt
),
gone as (
  select l.hop, l.backend, l.last_ns, w.window_id
  from backend_life l
  join backend_window w on w.hop = l.hop and w.backend = l.backend and w.what = 'gone'
),
fresh as (
  select hop, backend, at_ns, window_id from backend_window where what = 'new'
),
placed as (
  select u.*, g.window_id as gone_window, n.window_id as new_window,
    case
      when u.owner is null then 'unknown'
      when u.seen_ns > g.last_ns then 'moved'
      when u.failed = 0 then case when u.strayed then 'elsewhere' else 'home' end
      when u.backend is null or u.backend = u.owner then 'home'
      when u.at_ns >= n.at_ns then 'new'
      else 'elsewhere'
    end as place
  from unit u
  left join gone g on g.hop = u.hop and g.backend = u.owner
  left join fresh n on n.hop = u.hop and n.backend = u.backend
),
-- A new instance also moves sessions between the old ones, where a hash shares them out: those that were there before it came.
remapped as (
  select p.unit, p.unit_id, max(n.window_id) as window_id
  from placed p
  join fresh n on n.hop = p.hop and n.at_ns > p.born_ns and n.at_ns <= coalesce(p.at_ns, p.seen_ns)
  where p.place = 'elsewhere'
  group by p.unit, p.unit_id
)
select p.unit, p.unit_id, p.epoch_id, p.hop, p.owner, p.backend, p.fate, p.failed, p.at_ns, p.request_id, p.wait_ns, p.place,
  case p.place when 'moved' then p.gone_window when 'new' then p.new_window else r.window_id end as window_id
from placed p
left join remapped r on r.unit = p.unit and r.unit_id = p.unit_id
