-- What may name the same HTTP exchange in two views of it. Equal keys: the same exchange or the same call on its next hop.
-- `level`: whether equal keys are one HTTP exchange (request) or only hops of one call. A key that only one exchange has links nothing.
with span as (
  select exchange_id, trace_id, span_id, parent_span_id, rpc_method, tool, rpc_id, started_ns, ended_ns, vantage
  from exchange
  where trace_id is not null
),
-- A traceparent or a span id: the log line or HAR entry that carries it and the span itself.
own as (
  select exchange_id, 's:' || trace_id || ':' || span_id as link_key from span where span_id is not null
),
-- Parent and child spans of one call. Two calls of one parent stay apart: the child must agree in method and tool.
child as (
  select c.exchange_id, 's:' || c.trace_id || ':' || c.parent_span_id as link_key
  from span c
  join span p on p.trace_id = c.trace_id and p.span_id = c.parent_span_id
  where (c.rpc_method is null or p.rpc_method is null or c.rpc_method = p.rpc_method)
    and (c.tool is null or p.tool is null or c.tool = p.tool)
),
-- Spans of one call of which those between were not exported: same trace, JSON-RPC id and tool, overlapping in time.
-- An id that is used again later in the trace starts a new island.
named as (
  select exchange_id, vantage, trace_id, rpc_method, coalesce(tool, '') as tool, rpc_id, started_ns,
    max(coalesce(ended_ns, started_ns)) over (
      partition by trace_id, rpc_method, coalesce(tool, ''), rpc_id order by started_ns, exchange_id
      rows between unbounded preceding and 1 preceding) as busy_until_ns
  from span
  where rpc_id is not null and rpc_method is not null and started_ns is not null
),
island as (
  select exchange_id, vantage, trace_id, rpc_method, tool, rpc_id,
    sum(case when busy_until_ns is null or started_ns > busy_until_ns then 1 else 0 end) over (
      partition by trace_id, rpc_method, tool, rpc_id order by started_ns, exchange_id
      rows between unbounded preceding and current row) as nth
  from named
),
-- One span a vantage: the two ends of one hop. More of a vantage: a gateway lies between, and the spans are hops of one call.
crowd as (
  select trace_id, rpc_method, tool, rpc_id, nth, max(spans) as spans
  from (select trace_id, rpc_method, tool, rpc_id, nth, vantage, count(*) as spans from island group by trace_id, rpc_method, tool, rpc_id, nth, vantage) x
  group by trace_id, rpc_method, tool, rpc_id, nth
),
keyed as (
  select exchange_id, link_key, 'request' as level from own
  union all
  select exchange_id, link_key, 'request' from child
  union all
  select i.exchange_id, 'c:' || i.trace_id || ':' || i.rpc_method || ':' || i.tool || ':' || i.rpc_id || ':' || cast(i.nth as varchar),
    case when c.spans = 1 then 'request' else 'call' end
  from island i
  join crowd c on c.trace_id = i.trace_id and c.rpc_method = i.rpc_method and c.tool = i.tool and c.rpc_id = i.rpc_id and c.nth = i.nth
  union all
  select exchange_id, 'r:' || request_id, 'request' from exchange where request_id is not null
  union all
  select exchange_id, link_key, 'request' from link_time
)
select exchange_id, link_key, level
from keyed
where link_key in (select link_key from keyed group by link_key having count(*) > 1)
