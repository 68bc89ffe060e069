-- Requests of session S1 that were answered 2xx under another session S2, one row per pair of epochs, and what became of it.
-- An absent header counts only where the same endpoint names the session on the same kind of response elsewhere.
with seam as (
  select r.request_id, r.hop, r.at_ns, r.finished_ns, r.status, r.request_session as session, r.response_session as other_session,
    s.epoch_id, s.response_epoch_id, q.request_id is not null as is_resume, false as absent,
    -- a log that does not know the method cannot tell a resumed history from an initialize with a stale id
    q.request_id is not null or r.rpc_method is not null or r.http_method <> 'POST' or r.saw_request_body as method_known,
    r.event_count, r.message_count
  from request r
  join session_request s on s.request_id = r.request_id
  left join resume_request q on q.request_id = r.request_id
  where r.is_session_era and r.is_ok and not r.is_initialize and not r.loss_in_body
    and r.request_session is not null and r.response_session is not null and r.request_session <> r.response_session
),
adopted as (
  select m.request_id,
    min(case when c.request_id is not null then c.at_ns end) as adopted_ns, min(c.request_id) as adopted_request
  from seam m
  join epoch e on e.epoch_id = m.response_epoch_id
  join mention c on c.epoch_id = m.response_epoch_id and c.role = 'request' and c.at_ns >= m.at_ns and c.request_id <> m.request_id
  -- going on after an initialize that issued the same id is no adoption
  where e.issued_request = m.request_id
    or not exists (select 1 from request i where i.request_id = e.issued_request and i.is_initialize)
  group by m.request_id
),
-- The client sent back an event id that only S2 had issued.
cursor_back as (
  select m.request_id
  from seam m
  join delivery d on d.request_id = m.request_id and d.event_id is not null
  join request b on b.last_event_id = d.event_id and b.at_ns > m.at_ns and b.request_session in (m.session, m.other_session)
  group by m.request_id
),
judged as (
  select m.*,
    case
      when a.request_id is not null or c.request_id is not null then 'adopted'
      when m.event_count > 0 or m.message_count > 0 then 'delivered'
      else 'refused'
    end as consequence,
    coalesce(a.adopted_ns, m.finished_ns) as until_ns, a.adopted_request
  from seam m
  left join adopted a on a.request_id = m.request_id
  left join cursor_back c on c.request_id = m.request_id
),
first_of as (
  select *, row_number() over (partition by epoch_id, response_epoch_id
      order by case consequence when 'adopted' then 0 when 'delivered' then 1 else 2 end, at_ns, request_id) as nth,
    count(*) over (partition by epoch_id, response_epoch_id) as requests
  from judged
)
select session, other_session, epoch_id, response_epoch_id, at_ns, until_ns, status, request_id as seam_request, consequence, absent,
  method_known or (consequence = 'adopted' and requests > 1) as sure, requests,
  case when is_resume then 'resume' else 'request' end as "trigger", hop,
  case when adopted_request is null then cast(request_id as varchar) else cast(request_id as varchar) || ',' || cast(adopted_request as varchar) end as exchanges
from first_of
where nth = 1
