-- Sources that have something to say about the range, and those that were read since the last judgement.
select s.* replace (cast(o.source_id as integer) as source_id, o.path as path, o.sha256 as sha256, o.bytes as bytes,
  s.duplicates + coalesce(d.doubled, 0) as duplicates)
from source s
join judged_source o on o.kept_id = s.source_id
join content c on c.source_id = s.source_id
left join (
  select source_id, count(*) filter (where is_doubled) as doubled, count(*) as exchanges
  from judged_exchange group by source_id) d on d.source_id = o.source_id
where d.exchanges > 0
  or c.intake > (select judged from job)
  or s.source_id in (select p.source_id from companion p, judged_range r where p.at_ns >= r.from_ns)
order by o.source_id
