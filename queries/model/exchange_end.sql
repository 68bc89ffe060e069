-- How each exchange ended: in the words of its own source, or of the error log beside it.
select e.exchange_id, coalesce(h.end_state, e.end_state) as end_state, coalesce(h.end_reason, e.end_reason) as end_reason
from exchange e
left join exchange_heard h on h.exchange_id = e.exchange_id
