-- How old streams were when they ended, per endpoint, and which of them ended at one age: the sign of a time-out on the way.
-- One age stands out from its surroundings: half of the streams that ended within ten seconds of it ended within one.
with aged as (
  select r.request_id, r.hop, r.http_method, r.request_session as session, r.at_ns, r.finished_ns, r.end_state,
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
-- Streams that end together were ended by one event: a restart, a reconnect of everyone, the end of the recording.
moment as (
  select request_id, sum(opens) over (partition by hop, http_method order by finished_ns, request_id rows between unbounded preceding and current row) as moment
  from (
    select request_id, hop, http_method, finished_ns,
      case when finished_ns - lag(finished_ns) over (partition by hop, http_method order by finished_ns, request_id) <= 1000000000 then 0 else 1 end as opens
    from idle) x
),
near as (
  select request_id, hop, http_method, session, at_ns, finished_ns, end_state, age,
    count(*) over (partition by hop, http_method order by age range between 1.0 preceding and 1.0 following) as neighbours,
    count(*) over (partition by hop, http_method order by age range between 10.0 preceding and 10.0 following) as around,
    count(*) over (partition by hop, http_method) as streams
  from idle
),
dense as (
  select hop, http_method, age, neighbours,
    case when age - lag(age) over (partition by hop, http_method order by age, request_id) <= 1.0 then 0 else 1 end as opens, request_id
  from near
  -- calls have durations of their own, and a log does not show which of them had their answer
  where neighbours >= 5 and neighbours * 2 >= around and (http_method = 'GET' or neighbours * 2 >= streams)
),
cluster as (
  select hop, http_method, age, neighbours,
    sum(opens) over (partition by hop, http_method order by age, request_id rows between unbounded preceding and current row) as nth
  from dense
),
centre as (
  select hop, http_method, nth, cast(round(avg(age)) as bigint) as age_s
  from (select hop, http_method, nth, age, neighbours, max(neighbours) over (partition by hop, http_method, nth) as most from cluster) x
  where neighbours = most
  group by hop, http_method, nth
),
member as (
  select n.request_id, n.hop, n.http_method, n.session, n.at_ns, n.finished_ns, n.end_state, c.age_s, m.moment
  from near n
  join moment m on m.request_id = n.request_id
  join centre c on c.hop = n.hop and c.http_method = n.http_method
  where abs(n.age - c.age_s) <= 1.5
),
-- Where the source itself speaks of a time-out, streams that began together may end together.
spread as (
  select hop, http_method, age_s from member group by hop, http_method, age_s
  having count(distinct moment) >= 3 or sum(case when end_state = 'timed-out' then 1 else 0 end) >= 5
)
select m.request_id, m.hop, m.http_method, m.session, m.at_ns, m.finished_ns, m.age_s
from member m
join spread s on s.hop = m.hop and s.http_method = m.http_method and s.age_s = m.age_s
