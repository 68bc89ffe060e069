-- The best threshold on the pause before, and on the age at, the fatal request: where lost and kept sessions part.
-- What a lost session had survived earlier speaks against a threshold below it.
with point as (
  select hop, 'idle-eviction' as cause, fatal_idle_ns as value, 1 as failed, 0 as kept from load_remaining where failed = 1
  union all
  select hop, 'idle-eviction' as cause, survived_idle_ns as value, 0 as failed, 1 - failed as kept from load_remaining where survived_idle_ns is not null
  union all
  select hop, 'lifetime' as cause, fatal_age_ns as value, 1 as failed, 0 as kept from load_remaining where failed = 1 and issued
  union all
  select hop, 'lifetime' as cause, survived_age_ns as value, 0 as failed, 1 - failed as kept from load_remaining where issued
),
counted as (
  select hop, cause, value, failed,
    sum(failed) over (partition by hop, cause order by value desc) as failed_above,
    sum(kept) over (partition by hop, cause order by value desc) as kept_above,
    sum(1 - failed) over (partition by hop, cause order by value desc) as survived_above,
    max(case failed when 0 then value end) over (partition by hop, cause order by value, failed rows between unbounded preceding and 1 preceding) as survived_ns,
    sum(failed) over (partition by hop, cause) as failures,
    sum(kept) over (partition by hop, cause) as kept,
    sum(1 - failed) over (partition by hop, cause) as survived
  from point
),
best as (
  select hop, cause, value as fatal_ns, survived_ns, failed_above, kept_above, survived_above, failures, kept, survived,
    row_number() over (partition by hop, cause order by cast(failed_above as double) / failures - cast(survived_above as double) / survived desc, value) as nth
  from counted
  where failed = 1 and survived > 0
),
scored as (
  select b.hop, b.cause, b.fatal_ns, coalesce(b.survived_ns, 0) as survived_ns, b.failed_above, b.kept_above, b.survived_above, b.failures, b.kept,
    h.log_likelihood,
    failed_above * ln((failed_above + 0.5) / (failed_above + survived_above + 1))
      + survived_above * ln((survived_above + 0.5) / (failed_above + survived_above + 1))
      + (failures - failed_above) * ln((failures - failed_above + 0.5) / (failures - failed_above + survived - survived_above + 1))
      + (survived - survived_above) * ln((survived - survived_above + 0.5) / (failures - failed_above + survived - survived_above + 1)) as log_threshold
  from best b
  join load_hazard h on h.hop = b.hop
  where b.nth = 1
)
select hop, cause, fatal_ns, survived_ns, failures,
  failed_above as failed_inside, kept_above as kept_inside, failures - failed_above as failed_outside, kept - kept_above as kept_outside,
  log_threshold - log_likelihood as log_ratio
from scored
where failed_above >= 5 and 5 * failed_above >= 4 * failures
  and failed_above >= 8 * survived_above
  -- A hundred times likelier than losses at any moment.
  and log_threshold - log_likelihood > 4.6
