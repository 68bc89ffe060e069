-- Sources in the order of their paths, whatever the order in which they came: what has several names goes by the first.
with name as (
  select source_id, min(member) as path from holding where is_whole group by source_id
),
named as (
  select s.source_id as kept_id, coalesce(n.path, s.path) as path,
    coalesce(max(h.bytes), s.bytes) as bytes, coalesce(max(h.sha256), s.sha256) as sha256
  from source s
  left join name n on n.source_id = s.source_id
  left join holding h on h.source_id = s.source_id and h.member = n.path
  group by s.source_id, n.path, s.path, s.bytes, s.sha256
)
select kept_id, path, bytes, sha256, row_number() over (order by path, kept_id) as source_id
from named
