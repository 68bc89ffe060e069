-- Sessions whose fate the fleet does not explain: the ones that idleness, age, load and the clock are tested on.
with explained as (
  select u.unit_id as epoch_id
  from load_unit u
  join load_change c on c.hop = u.hop and c.unit = u.unit and c.window_id = u.window_id
  where u.unit = 'session' and u.failed = 1
  union
  select u.unit_id as epoch_id
  from load_unit u
  join load_wait b on b.hop = u.hop and b.unit = u.unit and u.wait_ns between b.low_ns and b.high_ns
  where u.unit = 'session' and u.failed = 1
  union
  select a.epoch_id
  from session_arm a
  join load_affinity l on l.hop = a.hop and l.unit = 'session'
  where a.place = 'elsewhere' and a.failed = 1
  union
  select f.epoch_id
  from session_fate f
  join load_revival r on r.hop = f.hop
  where f.fate = 'lost'
)
select f.epoch_id, f.hop, case f.fate when 'lost' then 1 else 0 end as failed, f.failed_request as request_id, f.failed_ns, f.issued, f.last_ok_ns,
  f.survived_idle_ns, f.survived_uncalled_ns, f.survived_age_ns, f.fatal_idle_ns, f.fatal_uncalled_ns, f.fatal_age_ns
from session_fate f
left join explained e on e.epoch_id = f.epoch_id
where e.epoch_id is null and f.fate in ('kept', 'lost') and (f.ok_steps > 1 or f.fate = 'lost')
