-- Without a backend column: sessions that were refused and known again later, against sessions that were refused for good.
-- A session that is lost stays lost; one that comes back was alive elsewhere all the time.
with refused as (
  select epoch_id, min(hop) as hop, min(first_lost_ns) as at_ns,
    case when max(last_ok_ns) > min(first_lost_ns) then 1 else 0 end as revived,
    count(*) filter (where outcome = 'lost' and backend is not null) as seen
  from session_step
  where first_lost_ns is not null
  group by epoch_id
)
select hop, count(*) filter (where revived = 1) as failed_inside, count(*) filter (where revived = 0) as failed_outside,
  min(case revived when 1 then at_ns end) as from_ns, max(case revived when 1 then at_ns end) as until_ns
from refused
where seen = 0
group by hop
having count(*) filter (where revived = 1) >= 5 and count(*) filter (where revived = 1) >= 4 * count(*) filter (where revived = 0)
