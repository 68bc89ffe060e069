select c.* replace ((o.source_id << 32) + (c.companion_id & 4294967295) as companion_id, cast(o.source_id as integer) as source_id)
from companion c join judged_source o on o.kept_id = c.source_id
where c.at_ns >= (
  select coalesce(min(coalesce(e.started_ns, e.ended_ns)), (select from_ns from judged_range))
  from exchange e join judged_exchange j on j.exchange_id = e.exchange_id)
