-- The answer to a request: on its own stream first, resumed parts included; else wherever in the session it arrived.
-- An event of another stream or session that a resume brought answers nothing of this one, whatever its id.
with found as (
  select c.call_id, m.request_id, m.ordinal, m.at_ns, 0 as elsewhere
  from call_request c
  join stream_part p on p.stream_id = c.stream_id
  join server_message m on m.request_id = p.request_id and m.kind in ('result', 'error') and m.rpc_id = c.rpc_id
  where not exists (select 1 from foreign_event f where f.request_id = m.request_id and f.ordinal = m.event_ordinal)
  union all
  select t.call_id, m.request_id, m.ordinal, m.at_ns, 1
  from call_turn t
  join call_request c on c.call_id = t.call_id
  join server_message m on m.request_id = t.request_id and m.kind in ('result', 'error') and m.rpc_id = c.rpc_id
  where t.what = 'answer'
),
first_found as (
  select call_id, request_id, ordinal, at_ns, elsewhere,
    row_number() over (partition by call_id order by elsewhere, at_ns, request_id, ordinal) as nth
  from found
)
select f.call_id, f.request_id as answered_request, f.at_ns as answered_ns, f.elsewhere = 1 as elsewhere,
  m.kind, m.error_code, m.tool_error, m.loss_signal, m.input_required, m.message_digest, m.result_keys
from first_found f
join server_message m on m.request_id = f.request_id and m.ordinal = f.ordinal
where f.nth = 1
