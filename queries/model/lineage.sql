-- Epochs that are successive lives of one client. Walked from the first life forward: every epoch is visited once.
-- A chain of more than 5,000 lives is cut there.
with recursive walk as (
  select e.epoch_id, e.epoch_id as lineage, 0 as depth
  from epoch e
  where not exists (select 1 from succession s where s.epoch_id = e.epoch_id)
  union all
  select s.epoch_id, w.lineage, w.depth + 1
  from walk w
  join succession s on s.before_id = w.epoch_id
  where w.depth < 5000
)
select e.epoch_id, coalesce(min(w.lineage), e.epoch_id) as lineage
from epoch e
left join walk w on w.epoch_id = e.epoch_id
group by e.epoch_id
