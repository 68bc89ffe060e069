-- When nothing is claimed: what is missing. `needed` more failures of the same kind, as far as it can be told.
with failed as (
  select count(*) filter (where failed = 1) as failures, count(*) filter (where failed = 1 and backend is null and owner is null) as without_backend
  from load_unit
),
near as (
  select h.cause, h.failed_inside as failures, t.p_value, x.sentence,
    -- Evidence adds up: the logarithm of p grows about as the number of failures does.
    cast(ceil(h.failed_inside * (ln(0.01 / 9) / ln(case when t.p_single > 0.9 then 0.9 when t.p_single > 1e-300 then t.p_single else 1e-300 end) - 1)) as bigint) as more
  from load_hypothesis h
  join load_test t on t.hypothesis_id = h.hypothesis_id
  join load_sentence x on x.hypothesis_id = h.hypothesis_id
  where not exists (select 1 from load_claim)
)
select cause, failures, case when more < 1 then 1 else more end as needed,
  'Possibly ' || cause || ', not proven (p = ' || cast(round(p_value, 3) as varchar) || ', below 0.01 is needed): '
    || sentence || ' About ' || cast(case when more < 1 then 1 else more end as varchar) || ' more like these would decide it.' as sentence
from near
union all
select 'any' as cause, failures, 5 - failures as needed,
  cast(failures as varchar) || case failures when 1 then ' failure' else ' failures' end || ' can have no provable cause: at least 5 are needed, '
    || cast(5 - failures as varchar) || ' more.' as sentence
from failed
where failures between 1 and 4
union all
select 'any' as cause, failures, null as needed,
  cast(failures as varchar) || ' failures, and neither the fleet, pauses, age, waiting, load nor the hour of the day tells them from what was kept.' as sentence
from failed
where failures >= 5 and not exists (select 1 from load_hypothesis)
union all
select 'backend' as cause, failures, null as needed,
  cast(without_backend as varchar) || ' of ' || cast(failures as varchar)
    || ' failures do not say which instance served them: deploys, scaling and lost affinity cannot be told from other causes there.' as sentence
from failed
where failures >= 5 and without_backend > 0 and not exists (select 1 from load_claim)
