-- From when to when each instance was seen to answer, and whether it came or went while the capture ran.
-- An instance that is merely seldom used has neither come nor gone: it must be missing where at least five requests were to be expected.
with answered as (
  select hop, backend, min(at_ns) as first_ns, max(at_ns) as last_ns, count(*) as requests,
    count(*) filter (where begins) as begun
  from session_step
  where backend is not null and outcome <> 'gateway'
  group by hop, backend
),
-- Sessions of an instance that were used after it fell silent: they are what a vanished instance leaves behind.
orphan as (
  select a.hop, a.backend, count(*) as orphans
  from answered a
  join session_fate f on f.hop = a.hop and f.owner = a.backend
  where f.last_step_ns > a.last_ns
  group by a.hop, a.backend
),
traffic as (
  select a.hop, a.backend,
    -- its share of the traffic is taken over its own life: what came long after says nothing about it
    sum(case when b.bucket_ns + b.width_ns > a.first_ns and b.bucket_ns <= a.last_ns then b.requests else 0 end) as beside_it,
    sum(case when b.bucket_ns > a.last_ns then b.requests else 0 end) as after_it,
    sum(case when b.bucket_ns + b.width_ns <= a.first_ns then b.requests else 0 end) as before_it,
    sum(b.new_sessions) as begun,
    sum(case when b.bucket_ns + b.width_ns > a.first_ns and b.bucket_ns <= a.last_ns then b.new_sessions else 0 end) as begun_beside,
    sum(case when b.bucket_ns + b.width_ns <= a.first_ns then b.new_sessions else 0 end) as begun_before
  from answered a
  join load_bucket b on b.hop = a.hop
  group by a.hop, a.backend
)
select a.hop, a.backend, a.first_ns, a.last_ns, a.requests,
  coalesce(o.orphans, 0) as orphans,
  coalesce(o.orphans, 0) > 0 and t.after_it * a.requests >= 5 * t.beside_it as vanished,
  -- The requests of a session stay together: new sessions must be missing as well, where the log shows them.
  t.before_it * a.requests >= 5 * t.beside_it
    and (t.begun = 0 or (a.begun >= 3 and t.begun_before * a.begun >= 3 * t.begun_beside)) as appeared
from answered a
join traffic t on t.hop = a.hop and t.backend = a.backend
left join orphan o on o.hop = a.hop and o.backend = a.backend
