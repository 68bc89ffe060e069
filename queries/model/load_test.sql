-- The exact tests. Fisher (1934), one-sided: the hypergeometric tail at and beyond the failures inside; the binomial tail where a share is given.
-- Corrected by Bonferroni for what was tried to find the hypothesis, and for the nine causes that are looked for.
with side as (
  select hypothesis_id, tries, case when cells is null then trials end as trials, hits, share, failed_inside, kept_inside, failed_outside, kept_outside,
    case when cells is null then failed_inside else hits end as a,
    case when cells is null then kept_inside else cells - hits end as b,
    case when cells is null then failed_outside else trials - hits end as c,
    -- an hour with more traffic has more to lose: the others count by the traffic they hold
    case when cells is null then kept_outside when cells / share > cells + trials - hits then cast(floor(cells / share) as bigint) - cells - trials + hits
      else 0 end as d
  from load_hypothesis
),
term as (
  select s.hypothesis_id, k.k,
    lgamma(a + b + 1) + lgamma(c + d + 1) + lgamma(a + c + 1) + lgamma(b + d + 1) - lgamma(a + b + c + d + 1)
      - lgamma(a + k + 1) - lgamma(b - k + 1) - lgamma(c - k + 1) - lgamma(d + k + 1) as log_p
  from side s
  join load_digit k on k.k <= s.b and k.k <= s.c
  where s.trials is null
  union all
  select s.hypothesis_id, k.k,
    lgamma(trials + 1) - lgamma(hits + k + 1) - lgamma(trials - hits - k + 1)
      + (hits + k) * ln(share) + case when trials > hits + k then (trials - hits - k) * ln(1 - share) else 0 end as log_p
  from side s
  join load_digit k on k.k <= s.trials - s.hits
  where s.trials is not null
),
tail as (
  select hypothesis_id, sum(exp(log_p)) as p_single from term group by hypothesis_id
)
select s.hypothesis_id, t.p_single,
  case when t.p_single * s.tries * 9 < 1 then t.p_single * s.tries * 9 else 1 end as p_value,
  (failed_inside + 0.5) * (kept_outside + 0.5) / ((kept_inside + 0.5) * (failed_outside + 0.5)) as odds_ratio
from side s
join tail t on t.hypothesis_id = s.hypothesis_id
