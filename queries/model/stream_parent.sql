-- Which exchange had brought the event that a resume names as its last: the stream goes on from there.
-- The latest delivery before the resume counts; both are sorted together, so that one cursor sent 100,000 times stays linear.
with known as (
  select epoch_id, event_id, request_id, min(at_ns) as at_ns
  from (
    select epoch_id, event_id, request_id, at_ns from delivery where event_id is not null
    -- an id without data moves the cursor although no event was dispatched
    union all
    select s.epoch_id, r.last_cursor, r.request_id, r.at_ns
    from request r join session_request s on s.request_id = r.request_id
    where r.last_cursor is not null) x
  where epoch_id is not null
  group by epoch_id, event_id, request_id
),
mixed as (
  select epoch_id, event_id, request_id, at_ns, 0 as asks from known
  union all
  select q.epoch_id, r.last_event_id, r.request_id, r.at_ns, 1
  from resume_request q join request r on r.request_id = q.request_id
  where q.epoch_id is not null
),
placed as (
  select epoch_id, event_id, request_id, asks,
    row_number() over (partition by epoch_id, event_id order by at_ns, asks desc, request_id) as rn
  from mixed
),
before as (
  select epoch_id, event_id, request_id, asks, rn,
    max(case when asks = 0 then rn end) over (partition by epoch_id, event_id order by rn rows between unbounded preceding and 1 preceding) as known_rn
  from placed
)
select b.request_id, k.request_id as parent_id
from before b
join placed k on k.epoch_id = b.epoch_id and k.event_id = b.event_id and k.rn = b.known_rn
where b.asks = 1 and k.request_id <> b.request_id
