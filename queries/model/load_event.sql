-- Failures at their moment that neither the fleet nor a threshold explains: losses of sessions, and attempts to resume that failed without one.
select r.hop, r.epoch_id, r.request_id, r.failed_ns as at_ns, r.last_ok_ns, r.fatal_idle_ns as idle_ns
from load_remaining r
where r.failed = 1 and not exists (select 1 from load_split s where s.hop = r.hop)
union all
select u.hop, u.epoch_id, u.request_id, u.at_ns, u.at_ns as last_ok_ns, 0 as idle_ns
from load_unit u
left join load_change c on c.hop = u.hop and c.unit = u.unit and c.window_id = u.window_id
left join load_wait w on w.hop = u.hop and w.unit = u.unit and u.wait_ns between w.low_ns and w.high_ns
left join load_affinity a on a.hop = u.hop and a.unit = u.unit and u.place in ('elsewhere', 'new')
where u.unit = 'resume' and u.failed = 1 and c.hop is null and w.hop is null and a.hop is null
  and not exists (select 1 from session_fate f where f.epoch_id = u.epoch_id and f.failed_request = u.request_id)
