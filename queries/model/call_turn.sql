-- Requests, cancellations and answers that came elsewhere, per id in time: what comes later belongs to the latest request before it.
with own as (
  select c.call_id, min(m.at_ns) as answered_ns
  from call_request c
  join stream_part p on p.stream_id = c.stream_id
  join server_message m on m.request_id = p.request_id and m.kind in ('result', 'error') and m.rpc_id = c.rpc_id
  group by c.call_id
),
asked_here as (
  select distinct stream_id, rpc_id from call_request where rpc_id is not null
),
item as (
  select c.scope, c.rpc_id, c.started_ns as at_ns, 'call' as what, c.call_id as id, o.answered_ns
  from call_request c left join own o on o.call_id = c.call_id
  where c.rpc_id is not null
  union all
  select coalesce('e' || cast(c.epoch_id as varchar), 'h' || c.hop), c.cancels, c.at_ns, 'cancel', c.request_id, null
  from client_message c
  where c.rpc_method = 'notifications/cancelled' and c.cancels is not null
  union all
  select coalesce('e' || cast(m.epoch_id as varchar), 'h' || m.hop), m.rpc_id, m.at_ns, 'answer', m.request_id, null
  from server_message m
  join stream_part p on p.request_id = m.request_id
  left join asked_here a on a.stream_id = p.stream_id and a.rpc_id = m.rpc_id
  where m.kind in ('result', 'error') and m.rpc_id is not null and a.rpc_id is null
),
numbered as (
  select scope, rpc_id, at_ns, what, id, answered_ns,
    row_number() over (partition by scope, rpc_id order by at_ns, case what when 'call' then 0 else 1 end, id) as rn
  from item
),
behind as (
  select scope, rpc_id, at_ns, what, id, rn,
    max(case when what = 'call' then rn end) over (partition by scope, rpc_id order by rn rows between unbounded preceding and 1 preceding) as call_rn
  from numbered
)
select n.id as call_id, b.what, b.id as request_id, b.at_ns
from behind b
join numbered n on n.scope = b.scope and n.rpc_id = b.rpc_id and n.rn = b.call_rn
where b.what <> 'call' and (n.answered_ns is null or b.what = 'cancel')
