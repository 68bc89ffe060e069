-- Losses against the hour of the day (UTC). A day's hour with many losses counts once, and three days at least must agree:
-- what happened once at three in the morning is an event, not a habit. Losses found only after a long pause have no hour.
with hour as (
  select hop, at_ns - at_ns % 3600000000000 as hour_ns, count(*) filter (where outcome in ('ok', 'lost')) as exposed
  from session_step
  group by hop, at_ns - at_ns % 3600000000000
),
lossy as (
  select hop, at_ns - at_ns % 3600000000000 as hour_ns, count(distinct epoch_id) as losses
  from load_event
  where idle_ns <= 3600000000000
  group by hop, at_ns - at_ns % 3600000000000
),
clock as (
  select h.hop, h.hour_ns % 86400000000000 as of_day_ns, count(*) as cells, sum(h.exposed) as exposed, sum(coalesce(l.losses, 0)) as losses,
    count(l.losses) as hits, min(case when l.losses > 0 then h.hour_ns end) as from_ns, max(case when l.losses > 0 then h.hour_ns end) as until_ns
  from hour h
  left join lossy l on l.hop = h.hop and l.hour_ns = h.hour_ns
  group by h.hop, h.hour_ns % 86400000000000
),
total as (
  select hop, sum(exposed) as exposed, sum(losses) as losses, sum(hits) as hits from clock group by hop
),
best as (
  select c.hop, c.of_day_ns, c.cells, c.exposed as exposed_in, c.losses as losses_in, c.hits as hits_in, c.from_ns, c.until_ns, t.exposed, t.losses, t.hits,
    row_number() over (partition by c.hop order by c.hits * cast(t.exposed as double) / c.exposed desc, c.of_day_ns) as nth
  from clock c
  join total t on t.hop = c.hop
  where c.hits >= 3 and 2 * c.hits >= t.hits and c.exposed > 0
)
select hop, of_day_ns, cells, hits, hits_in as hits_above, cast(exposed_in as double) / exposed as share,
  losses_in as failed_inside, exposed_in - losses_in as kept_inside,
  losses - losses_in as failed_outside, exposed - exposed_in - losses + losses_in as kept_outside, from_ns, until_ns + 3600000000000 as until_ns
from best
where nth = 1 and losses_in >= 5 and 2 * losses_in >= losses
  and losses_in * (exposed - exposed_in) >= 3 * (losses - losses_in) * exposed_in
