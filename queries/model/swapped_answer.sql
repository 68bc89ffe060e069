-- Answers to one of several requests that were in flight under one id: whose are they? The payload may say: progress tokens on the
-- same stream, or the keys of structured content that fit one tool's output schema and not another's.
with member as (
  select i.call_id, i.scope, i.rpc_id, i.island, c.epoch_id, c.hop, c.session, c.stream_id, c.request_id, c.tool, c.progress_token, c.message_digest,
    c.answered_request, c.answered_ns, c.elsewhere, c.result_keys, h.output_keys, h.required_keys
  from call_island i
  join rpc_call c on c.call_id = i.call_id
  left join tool_hint h on h.hop = c.hop and h.tool = c.tool
  where i.in_flight > 1
),
various as (
  select scope, rpc_id, island from member group by scope, rpc_id, island having count(distinct message_digest) > 1
),
answered as (
  select m.* from member m join various v on v.scope = m.scope and v.rpc_id = m.rpc_id and v.island = m.island
  where m.answered_request is not null and not m.elsewhere
),
token as (
  select a.call_id,
    max(case when t.progress_token = a.progress_token then 1 else 0 end) as own,
    max(case when t.progress_token is distinct from a.progress_token and b.call_id is not null then 1 else 0 end) as other
  from answered a
  join stream_part p on p.stream_id = a.stream_id
  join server_message t on t.request_id = p.request_id and t.rpc_method = 'notifications/progress'
  left join member b on b.scope = a.scope and b.rpc_id = a.rpc_id and b.island = a.island and b.progress_token = t.progress_token and b.call_id <> a.call_id
  group by a.call_id
),
shape as (
  select a.call_id,
    max(case when b.call_id = a.call_id then 1 else 0 end) as own,
    max(case when b.call_id <> a.call_id then 1 else 0 end) as other
  from answered a
  join (select scope, rpc_id, island, tool, min(call_id) as call_id, max(output_keys) as output_keys, max(required_keys) as required_keys
    from member group by scope, rpc_id, island, tool) b
    on b.scope = a.scope and b.rpc_id = a.rpc_id and b.island = a.island and (b.tool <> a.tool or b.call_id = a.call_id)
  where a.result_keys is not null and (b.output_keys = a.result_keys or b.required_keys = a.result_keys)
  group by a.call_id
),
-- the tool's own schema, whichever call of the island it was that stands for the tool
fits as (
  select a.call_id from answered a where a.result_keys is not null and (a.output_keys = a.result_keys or a.required_keys = a.result_keys)
)
select a.call_id, a.scope, a.rpc_id, a.island, a.epoch_id, a.session, a.request_id, a.answered_request, a.answered_ns,
  case
    when coalesce(t.own, 0) = 1 and coalesce(t.other, 0) = 0 then 'right'
    when coalesce(t.other, 0) = 1 and coalesce(t.own, 0) = 0 then 'swapped'
    when f.call_id is not null then 'right'
    when coalesce(s.other, 0) = 1 then 'swapped'
    else 'ambiguous'
  end as proof
from answered a
left join token t on t.call_id = a.call_id
left join shape s on s.call_id = a.call_id
left join fits f on f.call_id = a.call_id
