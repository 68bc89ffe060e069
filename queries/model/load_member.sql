-- The failures that a hypothesis explains, in person: the evidence.
select h.hypothesis_id, u.request_id, u.at_ns
from load_hypothesis h
join load_unit u on u.hop = h.hop and u.unit = h.unit and u.window_id = h.window_id
where h.window_id is not null and u.failed = 1
union all
select h.hypothesis_id, u.request_id, u.at_ns
from load_hypothesis h
join load_unit u on u.hop = h.hop and u.unit = h.unit
where h.cause = 'dead-owner' and u.failed = 1 and u.wait_ns between h.low_ns and h.high_ns
union all
select h.hypothesis_id, a.request_id, a.at_ns
from load_hypothesis h
join session_arm a on a.hop = h.hop
left join load_unit u on u.unit = 'session' and u.unit_id = a.epoch_id
left join load_change c on c.hop = u.hop and c.unit = u.unit and c.window_id = u.window_id and u.failed = 1
where h.cause = 'affinity-loss' and h.unit = 'session' and h.metric is null
  and a.place = 'elsewhere' and a.failed = 1 and a.owner_alive = 1 and c.hop is null
union all
select h.hypothesis_id, u.request_id, u.at_ns
from load_hypothesis h
join load_unit u on u.hop = h.hop and u.unit = h.unit
where h.cause = 'affinity-loss' and h.unit = 'resume' and u.failed = 1 and u.place in ('elsewhere', 'new')
union all
select h.hypothesis_id, t.request_id, t.at_ns
from load_hypothesis h
join session_step t on t.hop = h.hop and t.outcome = 'lost' and t.at_ns = t.first_lost_ns and t.last_ok_ns > t.at_ns
where h.metric = 'revival'
union all
select h.hypothesis_id, r.request_id, r.failed_ns as at_ns
from load_hypothesis h
join load_remaining r on r.hop = h.hop and r.failed = 1
where (h.cause = 'idle-eviction' and case h.metric when 'idle' then r.fatal_idle_ns else r.fatal_uncalled_ns end >= h.high_ns)
  or (h.cause = 'lifetime' and r.issued and r.fatal_age_ns >= h.high_ns)
union all
select h.hypothesis_id, r.request_id, r.at_ns
from load_hypothesis h
join load_event r on r.hop = h.hop
where (h.cause = 'periodic' and r.idle_ns <= 3600000000000 and r.at_ns % 86400000000000 >= h.low_ns and r.at_ns % 86400000000000 < h.high_ns)
  or (h.cause = 'overload' and r.at_ns between h.from_ns and h.until_ns and exists (
    select 1 from load_bucket b
    where b.hop = r.hop and b.bucket_ns = r.at_ns - r.at_ns % b.width_ns
      and case h.metric when 'request-rate' then b.served * 1e9 / b.width_ns else cast(b.busy_ns as double) / b.width_ns end >= h.load))
