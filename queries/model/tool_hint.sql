-- What tools/list said of a tool, per endpoint. Announced differently over time: the careful reading holds.
select r.hop, t.tool,
  bool_and(coalesce(t.read_only, false)) as read_only,
  bool_and(coalesce(t.idempotent, false)) as idempotent,
  bool_or(coalesce(t.destructive, false)) as destructive,
  max(t.output_keys) as output_keys, max(t.required_keys) as required_keys
from tool t
join voice v on v.exchange_id = t.exchange_id
join request r on r.request_id = v.request_id
group by r.hop, t.tool
