-- When each source stops: what is still open then is cut by the capture, not by a fault.
select source_id, max(coalesce(ended_ns, started_ns)) as end_ns
from exchange
group by source_id
