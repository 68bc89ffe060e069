-- Messages on a resumed stream that belong to another stream or session. Proof is needed: the same id with the same data had been
-- delivered there, the id names its stream or session, or the message answers what was asked on another stream.
with part as (
  select d.request_id, d.ordinal, d.epoch_id, d.hop, p.stream_id, d.event_id, d.id_family, d.id_stream, d.id_session, d.data_digest, d.at_ns,
    r.last_event_id, r.cursor_family, r.cursor_stream, r.cursor_session, r.request_session as session,
    coalesce(y.names_stream, false)
      and coalesce(d.id_family = y.family or (y.family = 'rmcp' and d.id_family = 'counter' and d.id_stream = '')
        or (y.family = 'go' and d.id_family = 'counter' and d.id_stream like '%\_' escape '\'), false)
      and coalesce(r.cursor_family = y.family or (y.family = 'rmcp' and r.cursor_family = 'counter' and r.cursor_stream = '')
        or (y.family = 'go' and r.cursor_family = 'counter' and r.cursor_stream like '%\_' escape '\'), false) as both_name
  from delivery d
  join stream_part p on p.request_id = d.request_id and p.is_resume
  join request r on r.request_id = d.request_id
  left join id_family y on y.hop = d.hop
  -- an answer under another session is the merge itself
  where not d.priming and (r.response_session is null or r.response_session = r.request_session)
),
own as (
  select p.request_id, p.ordinal from part p
  join first_delivery f on f.epoch_id = p.epoch_id and f.event_id = p.event_id and f.stream_id = p.stream_id and f.first_request <> p.request_id
  where f.first_ns < p.at_ns
),
on_other_stream as (
  select p.request_id, p.ordinal, min(f.first_request) as origin_request from part p
  join first_delivery f on f.epoch_id = p.epoch_id and f.event_id = p.event_id and f.stream_id <> p.stream_id
  where f.first_ns <= p.at_ns and f.data_digest is not distinct from p.data_digest
  group by p.request_id, p.ordinal
),
-- Answers and progress that nothing in the whole session had asked for.
unasked as (
  select p.request_id, p.ordinal from part p
  join server_message m on m.request_id = p.request_id and m.event_ordinal = p.ordinal
  where (m.kind in ('result', 'error') and m.rpc_id is not null or m.rpc_method = 'notifications/progress') and m.task_id is null
    and not exists (select 1 from call_request c where c.epoch_id = p.epoch_id and c.rpc_id = m.rpc_id)
    and not exists (select 1 from call_request c where c.epoch_id = p.epoch_id and c.progress_token = m.progress_token)
  group by p.request_id, p.ordinal
),
-- An id that every session counts anew proves something only where the message is nobody's here.
in_other_session as (
  select p.request_id, p.ordinal, min(f.epoch_id) as other_epoch, min(f.first_request) as origin_request from part p
  join first_delivery f on f.event_id = p.event_id and f.hop = p.hop
  left join unasked u on u.request_id = p.request_id and u.ordinal = p.ordinal
  where f.epoch_id <> p.epoch_id and f.first_ns <= p.at_ns and f.data_digest is not distinct from p.data_digest
    and (p.id_family in ('typescript', 'ulid', 'uuid7', 'snowflake', 'java', 'csharp') or (p.id_family = 'go' and p.id_stream <> '')
      or (p.id_family = 'opaque' and length(p.event_id) >= 8)
      or (u.request_id is not null and p.data_digest is not null))
  group by p.request_id, p.ordinal
),
answers_elsewhere as (
  select p.request_id, p.ordinal, min(c.request_id) as origin_request from part p
  join server_message m on m.request_id = p.request_id and m.event_ordinal = p.ordinal
  join call_request c on c.epoch_id = p.epoch_id and c.stream_id <> p.stream_id and c.task_id is null and m.task_id is null
    and ((m.kind in ('result', 'error') and c.rpc_id = m.rpc_id) or (m.rpc_method = 'notifications/progress' and c.progress_token = m.progress_token))
  where c.started_ns <= p.at_ns
    and not exists (
      select 1 from call_request o
      where o.stream_id = p.stream_id and (o.rpc_id = m.rpc_id or o.progress_token = m.progress_token))
    and exists (select 1 from call_request o where o.stream_id = p.stream_id)
  group by p.request_id, p.ordinal
)
select p.request_id, p.ordinal, p.epoch_id, p.stream_id, p.at_ns, p.last_event_id, s.other_epoch,
  coalesce(o.origin_request, s.origin_request, a.origin_request) as origin_request,
  case when s.request_id is not null and o.request_id is null or coalesce(p.id_session <> p.session, false) then 1 else 0 end as across
from part p
left join own w on w.request_id = p.request_id and w.ordinal = p.ordinal
left join on_other_stream o on o.request_id = p.request_id and o.ordinal = p.ordinal
left join in_other_session s on s.request_id = p.request_id and s.ordinal = p.ordinal
left join answers_elsewhere a on a.request_id = p.request_id and a.ordinal = p.ordinal
where w.request_id is null
  and (o.request_id is not null or s.request_id is not null or a.request_id is not null
    or coalesce(p.id_session <> p.session, false)
    or (p.both_name and (p.id_stream is distinct from p.cursor_stream or p.id_session is distinct from p.cursor_session)))
