select cast(o.source_id as integer) as source_id, r.locator, r.reason
from reject r join judged_source o on o.kept_id = r.source_id
