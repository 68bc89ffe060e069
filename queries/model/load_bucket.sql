-- Traffic per hop and slice of time, for the load chart and for the question whether losses follow the load.
with span as (
  select hop, min(at_ns) as from_ns, max(at_ns) as to_ns from session_step group by hop
),
width as (
  select s.hop, min(w.seconds) * 1000000000 as width_ns
  from span s
  join (values (cast(1 as bigint)), (5), (10), (30), (60), (300), (600), (1800), (3600), (21600), (86400), (604800), (31536000)) as w(seconds)
    on w.seconds * 120000000000 >= s.to_ns - s.from_ns
  group by s.hop
)
select t.hop, t.at_ns - t.at_ns % w.width_ns as bucket_ns, min(w.width_ns) as width_ns,
  count(*) as requests,
  count(*) filter (where t.outcome = 'ok' and t.carried_session) as served,
  count(*) filter (where t.outcome = 'lost' and t.at_ns > t.last_ok_ns and t.at_ns = t.first_lost_ns) as losses,
  count(*) filter (where t.begins) as new_sessions,
  -- Streams are open without working: only what the client waits for counts as concurrency.
  sum(case when t.http_method <> 'GET' and t.outcome = 'ok' then t.waited_ns else 0 end) as busy_ns
from session_step t
join width w on w.hop = t.hop
group by t.hop, t.at_ns - t.at_ns % w.width_ns
