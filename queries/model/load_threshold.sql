-- The limit that lies between the longest time survived and the shortest that was fatal; a known constant only when the two are
-- near each other (twice as long) and no other constant fits as well.
-- 305 s is 300 s with a grace, so the two count as one unless 300 s was survived.
with split as (
  select hypothesis_id, low_ns / 1e9 as survived_s, high_ns / 1e9 as fatal_s from load_hypothesis where cause in ('idle-eviction', 'lifetime')
),
fitting as (
  select s.hypothesis_id, c.seconds, c.spoken
  from split s
  join load_constant c on c.seconds >= s.survived_s * 0.99 and c.seconds <= s.fatal_s * 1.002 and s.fatal_s <= s.survived_s * 2
),
single as (
  select hypothesis_id, min(seconds) as seconds, min(spoken) as spoken
  from fitting f
  where f.seconds <> 305 or not exists (select 1 from fitting g where g.hypothesis_id = f.hypothesis_id and g.seconds = 300)
  group by hypothesis_id
  having count(*) = 1
)
select s.hypothesis_id, s.survived_s, s.fatal_s, g.seconds as constant_s, g.spoken,
  coalesce(cast(g.seconds as double), round((s.survived_s + s.fatal_s) / 2)) as threshold_s
from split s
left join single g on g.hypothesis_id = s.hypothesis_id
