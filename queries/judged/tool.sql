select t.* replace (j.judged_id as exchange_id)
from tool t join judged_exchange j on j.exchange_id = t.exchange_id
where not j.is_doubled
