-- Answers on exchanges that had not asked for them. Answers with no id answer nobody and are no misattribution.
with answer as (
  select m.request_id, m.ordinal, m.event_ordinal, m.epoch_id, m.hop, m.rpc_id, m.at_ns, r.http_method, r.request_session as session, p.is_resume, p.stream_id,
    r.saw_request_body, m.event_id
  from server_message m
  join request r on r.request_id = m.request_id
  join stream_part p on p.request_id = m.request_id
  where m.kind in ('result', 'error') and m.rpc_id is not null and r.is_ok and not m.loss_signal
    -- an answer under another session is the merge itself
    and (r.request_session is null or r.response_session is null or r.request_session = r.response_session)
),
unasked as (
  select a.* from answer a
  where not exists (
    select 1 from client_message c join stream_part p on p.request_id = c.request_id
    where p.stream_id = a.stream_id and c.kind = 'request' and c.rpc_id = a.rpc_id)
),
-- Ids used in the lives of one client: each once, or one call repeated 100,000 times would meet each of its answers.
asked as (
  select distinct l.lineage, c.rpc_id
  from call_request c join lineage l on l.epoch_id = c.epoch_id
)
select u.request_id, u.ordinal, u.epoch_id, u.hop, u.rpc_id, u.at_ns, u.session,
  case
    when u.http_method = 'POST' and not u.is_resume and (k.rpc_id is not null or e.epoch_id is null or not e.issued) then 'wrong-stream'
    else 'unsolicited'
  end as proof
from unasked u
left join lineage l on l.epoch_id = u.epoch_id
left join asked k on k.lineage = l.lineage and k.rpc_id = u.rpc_id
left join epoch e on e.epoch_id = u.epoch_id
where (u.http_method = 'POST' and not u.is_resume and u.saw_request_body)
  or (u.http_method = 'GET' and k.rpc_id is null and e.issued
    and not exists (select 1 from foreign_event f where f.request_id = u.request_id and f.ordinal = u.event_ordinal))
