-- Two views of one exchange without a common id: of all that may be the same, each is the other's nearest.
-- What is left over is paired once more: its nearest may have found one that is nearer still.
with ranked as (
  select near_vantage, far_vantage, near_id, far_id, distance_ns,
    row_number() over (partition by near_vantage, far_vantage, near_id order by distance_ns, far_id) as for_near,
    row_number() over (partition by near_vantage, far_vantage, far_id order by distance_ns, near_id) as for_far
  from link_candidate
),
first_round as (
  select near_vantage, far_vantage, near_id, far_id from ranked where for_near = 1 and for_far = 1
),
ranked_again as (
  select c.near_vantage, c.far_vantage, c.near_id, c.far_id,
    row_number() over (partition by c.near_vantage, c.far_vantage, c.near_id order by c.distance_ns, c.far_id) as for_near,
    row_number() over (partition by c.near_vantage, c.far_vantage, c.far_id order by c.distance_ns, c.near_id) as for_far
  from link_candidate c
  left join first_round n on n.near_vantage = c.near_vantage and n.far_vantage = c.far_vantage and n.near_id = c.near_id
  left join first_round f on f.near_vantage = c.near_vantage and f.far_vantage = c.far_vantage and f.far_id = c.far_id
  where n.near_id is null and f.far_id is null
),
mutual as (
  select near_vantage, far_vantage, near_id, far_id from first_round
  union all
  select near_vantage, far_vantage, near_id, far_id from ranked_again where for_near = 1 and for_far = 1
),
-- Where the proxy between them shows both, it says which client's and which server's view belong together.
kept as (
  select m.near_id, m.far_id
  from mutual m
  left join mutual n on n.near_vantage = 'client' and n.far_vantage = 'proxy' and n.near_id = m.near_id
  left join mutual f on f.near_vantage = 'proxy' and f.far_vantage = 'server' and f.far_id = m.far_id
  where m.near_vantage <> 'client' or m.far_vantage <> 'server' or n.near_id is null or f.far_id is null
)
select near_id as exchange_id, 't:' || cast(near_id as varchar) || ':' || cast(far_id as varchar) as link_key from kept
union all
select far_id, 't:' || cast(near_id as varchar) || ':' || cast(far_id as varchar) from kept
