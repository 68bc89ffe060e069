-- The best threshold on the pause before, and on the age at, the fatal request: where lost and kept sessions part.
-- What a lost session had survived earlier speaks against a threshold below it.
-- The pause is tried twice: as the time in which nothing was open, and as the time without a call.
with point as (
  select hop, 'idle-eviction' as cause, 'idle' as measure, fatal_idle_ns as value, 1 as failed, 0 as kept from load_remaining where failed = 1
  union all
  select hop, 'idle-eviction', 'idle', survived_idle_ns, 0, 1 - failed from load_remaining where survived_idle_ns is not null
  union all
  select hop, 'idle-eviction', 'uncalled', fatal_uncalled_ns, 1, 0 from load_remaining where failed = 1
  union all
  select hop, 'idle-eviction', 'uncalled', survived_uncalled_ns, 0, 1 - failed from load_remaining where survived_uncalled_ns is not null
  union all
  select hop, 'lifetime', 'age', fatal_age_ns, 1, 0 from load_remaining where failed = 1 and issued
  union all
  select hop, 'lifetime', 'age', survived_age_ns, 0, 1 - failed from load_remaining where issued
),
-- What was survived below the least fatal value needs no place in the order: it is one row.
least as (
  select hop, measure, min(value) as fatal_ns from point where failed = 1 group by hop, measure
),
weighed as (
  select p.hop, p.cause, p.measure, max(p.value) as value, 0 as failed, sum(p.kept) as kept, count(*) as survived
  from point p
  join least l on l.hop = p.hop and l.measure = p.measure
  where p.failed = 0 and p.value < l.fatal_ns
  group by p.hop, p.cause, p.measure
  union all
  select p.hop, p.cause, p.measure, p.value, p.failed, p.kept, 1 - p.failed as survived
  from point p
  join least l on l.hop = p.hop and l.measure = p.measure
  where p.value >= l.fatal_ns
),
counted as (
  select hop, cause, measure, value, failed,
    sum(failed) over below as failed_below, sum(kept) over below as kept_below, sum(survived) over below as survived_below,
    max(case failed when 0 then value end) over below as survived_ns,
    sum(failed) over everything as failures, sum(kept) over everything as kept, sum(survived) over everything as survived
  from weighed
  window below as (partition by hop, measure order by value, failed rows between unbounded preceding and 1 preceding),
    everything as (partition by hop, measure order by value, failed rows between unbounded preceding and unbounded following)
),
best as (
  select hop, cause, measure, value as fatal_ns, coalesce(survived_ns, 0) as survived_ns, failures - coalesce(failed_below, 0) as failed_above,
    kept - coalesce(kept_below, 0) as kept_above, survived - coalesce(survived_below, 0) as survived_above, failures, kept, survived,
    row_number() over (partition by hop, cause
      order by cast(coalesce(survived_below, 0) as double) / survived - cast(coalesce(failed_below, 0) as double) / failures desc,
        -- of two that part them equally well the one that leaves less room for the limit
        cast(value as double) / (coalesce(survived_ns, 0) + 1000000000), measure, value) as nth
  from counted
  where failed = 1 and survived > 0
),
scored as (
  select b.hop, b.cause, b.measure, b.fatal_ns, b.survived_ns, b.failed_above, b.kept_above, b.survived_above, b.failures, b.kept,
    h.log_likelihood,
    failed_above * ln((failed_above + 0.5) / (failed_above + survived_above + 1))
      + survived_above * ln((survived_above + 0.5) / (failed_above + survived_above + 1))
      + (failures - failed_above) * ln((failures - failed_above + 0.5) / (failures - failed_above + survived - survived_above + 1))
      + (survived - survived_above) * ln((survived - survived_above + 0.5) / (failures - failed_above + survived - survived_above + 1)) as log_threshold
  from best b
  join load_hazard h on h.hop = b.hop
  where b.nth = 1
)
select hop, cause, measure, fatal_ns, survived_ns, failures,
  failed_above as failed_inside, kept_above as kept_inside, failures - failed_above as failed_outside, kept - kept_above as kept_outside,
  log_threshold - log_likelihood as log_ratio
from scored
where failed_above >= 5 and 5 * failed_above >= 4 * failures
  and failed_above >= 8 * survived_above
  -- A hundred times likelier than losses at any moment.
  and log_threshold - log_likelihood > 4.6
