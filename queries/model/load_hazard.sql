-- How likely the losses would be if sessions died at any moment alike: the greatest log-likelihood over rates from one in a week to ten a second.
-- Long pauses and old sessions fail more often by that alone, so a threshold has to explain the losses better than this.
with grid as (
  select power(10, -6 + 0.25 * step) as rate
  from (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15), (16), (17), (18), (19), (20), (21), (22), (23),
    (24), (25), (26), (27), (28)) as g(step)
),
alive as (
  select hop, sum(survived_age_ns / 1e9) as seconds from load_remaining group by hop
),
died as (
  select r.hop, g.rate, sum(case when g.rate * r.fatal_idle_ns < 1e3 then ln(g.rate * (r.fatal_idle_ns + 1e6) / 1e9)
    else ln(1 - exp(-g.rate * r.fatal_idle_ns / 1e9)) end) as log_died
  from load_remaining r
  cross join grid g
  where r.failed = 1
  group by r.hop, g.rate
)
select d.hop, max(d.log_died - d.rate * a.seconds) as log_likelihood
from died d
join alive a on a.hop = d.hop
group by d.hop
