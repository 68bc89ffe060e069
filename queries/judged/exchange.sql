select e.* replace (j.judged_id as exchange_id, cast(j.source_id as integer) as source_id)
from exchange e join judged_exchange j on j.exchange_id = e.exchange_id
where not j.is_doubled
order by j.judged_id
