-- Hypotheses that passed: p below 0.01 after correction, five failures. The best of those that tell the same story: the same cause at the same
-- time seen at two vantages, or in sessions and in resumes.
with member as (
  select hypothesis_id, min(at_ns) as first_ns, max(at_ns) as last_ns from load_member group by hypothesis_id
),
passed as (
  select h.hypothesis_id, h.cause, regexp_replace(h.hop, '^[a-z]+ ', '') as endpoint, t.p_value, t.odds_ratio,
    coalesce(h.from_ns, m.first_ns) as from_ns, coalesce(h.until_ns, m.last_ns) as until_ns
  from load_hypothesis h
  join load_test t on t.hypothesis_id = h.hypothesis_id
  join member m on m.hypothesis_id = h.hypothesis_id
  where t.p_value < 0.01 and h.failed_inside >= 5
)
select p.hypothesis_id, p.cause, p.p_value, p.odds_ratio, p.from_ns, p.until_ns
from passed p
where not exists (
  select 1 from passed q
  where q.cause = p.cause and q.endpoint = p.endpoint and q.from_ns <= p.until_ns and q.until_ns >= p.from_ns
    and (q.p_value < p.p_value or (q.p_value = p.p_value and q.hypothesis_id < p.hypothesis_id)))
