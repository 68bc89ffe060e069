-- What a further view says of a call that the view which speaks for it did not see answered: the server's span knows that the tool ran,
-- even where the answer never reached the client.
with silent as (
  select l.exchange_id, l.call_group
  from link l
  where l.exchange_id not in (select exchange_id from voice)
  union
  select l.exchange_id, l.call_group
  from link l join voice v on v.exchange_id = l.exchange_id
)
select s.call_group, a.rpc_id, min(a.exchange_id) as exchange_id,
  max(case when m.kind = 'result' and not m.tool_error then 1 else 0 end) as completed,
  min(coalesce(m.at_ns, e.ended_ns)) as answered_ns
from silent s
join exchange e on e.exchange_id = s.exchange_id and e.vantage in ('server', 'proxy')
join message m on m.exchange_id = s.exchange_id and m.sender = 'server' and m.kind in ('result', 'error')
join message a on a.exchange_id = s.exchange_id and a.sender = 'client' and a.kind = 'request' and a.rpc_method = 'tools/call'
group by s.call_group, a.rpc_id
