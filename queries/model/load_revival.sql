-- Without a backend column: sessions that were refused and known again later, against sessions that were refused for good.
-- A session that is lost stays lost; one that comes back was alive elsewhere all the time. A refusal now and then is a mishap:
-- where requests stray, a quarter of them or more miss.
with refused as (
  select epoch_id, min(hop) as hop, min(first_lost_ns) as at_ns,
    case when max(last_ok_ns) > min(first_lost_ns) then 1 else 0 end as revived,
    count(*) filter (where outcome = 'lost' and backend is not null) as seen,
    count(*) filter (where outcome = 'lost' and at_ns > first_lost_ns) as missed,
    count(*) filter (where outcome = 'ok' and at_ns > first_lost_ns) as met
  from session_step
  where first_lost_ns is not null and carried_session
  group by epoch_id
)
select hop, sum(revived) as failed_inside, count(*) - sum(revived) as failed_outside,
  min(case revived when 1 then at_ns end) as from_ns, max(case revived when 1 then at_ns end) as until_ns
from refused
where seen = 0
group by hop
having sum(revived) >= 5 and 2 * sum(revived) >= count(*) and 3 * sum(missed) >= sum(met)
