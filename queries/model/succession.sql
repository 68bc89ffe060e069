-- Which epoch a client lived in before this one. Three ways to know: an answer that changed the session id under the client's request,
-- an initialize right after a loss, and a client that uses its sessions one after the other.
with seam as (
  select s.response_epoch_id as epoch_id, min(s.epoch_id) as before_id
  from session_request s
  where s.epoch_id is not null and s.response_epoch_id is not null and s.epoch_id <> s.response_epoch_id
  group by s.response_epoch_id
),
-- Losses and beginnings of one client in time: a beginning right behind a loss belongs to it.
turn as (
  select k.client_key, e.lost_ns as at_ns, e.epoch_id, 0 as begins from epoch e join client_key k on k.epoch_id = e.epoch_id
  where e.lost_ns is not null and k.client_key is not null
  union all
  select k.client_key, e.first_ns, e.epoch_id, 1 from epoch e join client_key k on k.epoch_id = e.epoch_id
  where e.issued and k.client_key is not null
),
turned as (
  select epoch_id, begins, at_ns,
    lag(epoch_id) over (partition by client_key order by at_ns, begins, epoch_id) as last_id,
    lag(begins) over (partition by client_key order by at_ns, begins, epoch_id) as last_begins,
    lag(at_ns) over (partition by client_key order by at_ns, begins, epoch_id) as last_ns
  from turn
),
-- Sessions that never overlap: each follows the one before, if nothing else of the client was alive in between.
spaced as (
  select e.epoch_id, k.strong,
    lag(e.epoch_id) over (partition by k.client_key order by e.first_ns, e.epoch_id) as last_id,
    max(coalesce(e.last_ok_ns, e.first_ns)) over (
      partition by k.client_key order by e.first_ns, e.epoch_id rows between unbounded preceding and 1 preceding) as busy_until_ns,
    e.first_ns
  from epoch e join client_key k on k.epoch_id = e.epoch_id
  where k.client_key is not null
),
known as (
  select epoch_id, before_id, 1 as way from seam
  union all
  select epoch_id, last_id, 2 from turned
  where begins = 1 and last_begins = 0 and last_id <> epoch_id and at_ns - last_ns <= 600000000000
  union all
  select epoch_id, last_id, 3 from spaced
  where strong and last_id is not null and busy_until_ns <= first_ns
),
-- A life follows only what began before it, so that the walk through lives ends.
forward as (
  select n.epoch_id, n.before_id, n.way, row_number() over (partition by n.epoch_id order by n.way, n.before_id) as nth
  from known n
  join epoch e on e.epoch_id = n.epoch_id
  join epoch b on b.epoch_id = n.before_id
  where b.first_ns < e.first_ns or (b.first_ns = e.first_ns and b.epoch_id < e.epoch_id)
)
select epoch_id, before_id, way from forward where nth = 1
