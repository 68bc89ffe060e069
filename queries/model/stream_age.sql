-- How old streams were when they ended, per endpoint, and whether many ended at one age: the sign of a time-out on the way.
with aged as (
  select r.request_id, r.hop, r.http_method, r.request_session as session, r.at_ns, r.finished_ns,
    (r.finished_ns - r.started_ns) / 1000000000.0 as age
  from request r
  where r.is_ok and r.end_state <> 'open' and r.ended_ns is not null and r.started_ns is not null and r.is_session_era
    and (r.http_method = 'GET' or r.is_stream)
    and (r.response_type is null or r.response_type = 'text/event-stream' or r.event_count > 0)
    and r.ended_ns - r.started_ns >= 5000000000
),
-- a stream that ended with the answer it was for ended of itself
idle as (
  select a.* from aged a
  where not exists (select 1 from rpc_call c where c.request_id = a.request_id and c.answered_request = a.request_id)
),
near as (
  select request_id, hop, http_method, session, at_ns, finished_ns, age,
    count(*) over (partition by hop, http_method order by age range between 1.0 preceding and 1.0 following) as neighbours,
    count(*) over (partition by hop, http_method) as streams
  from idle
),
centre as (
  select hop, http_method, cast(round(avg(age)) as bigint) as age_s
  from (select hop, http_method, age, neighbours, max(neighbours) over (partition by hop, http_method) as most, streams from near) x
  where neighbours = most and neighbours >= 5 and neighbours * 2 >= streams
  group by hop, http_method
)
select n.request_id, n.hop, n.http_method, n.session, n.at_ns, n.finished_ns, c.age_s, abs(n.age - c.age_s) <= 1.5 as clustered
from near n
join centre c on c.hop = n.hop and c.http_method = n.http_method
