-- One life of a session id: from the response that issued it (or first sight) to DELETE, loss or last sight.
with life as (
  select epoch_id, min(namespace) as namespace, min(session) as session, min(ordinal) as ordinal,
    min(at_ns) as first_ns, max(at_ns) as last_ns,
    min(case when role <> 'request' and is_ok then request_id end) as issued_request,
    min(case when role <> 'request' and is_ok then at_ns end) as issued_ns,
    max(case when is_ok and not is_loss then at_ns end) as last_ok_ns,
    min(case when role = 'request' and http_method = 'DELETE' and is_ok then at_ns end) as deleted_ns,
    sum(case when role = 'request' then 1 else 0 end) as requests
  from mention
  group by epoch_id
),
-- Lost: a loss signal after the last success, unless the client itself had ended the session.
refused as (
  select m.epoch_id, min(m.at_ns) as lost_ns
  from mention m
  join life l on l.epoch_id = m.epoch_id
  where m.is_loss and m.role = 'request'
    and (l.last_ok_ns is null or m.at_ns > l.last_ok_ns)
    and (l.deleted_ns is null or m.at_ns < l.deleted_ns)
  group by m.epoch_id
),
loss as (
  select m.epoch_id, min(r.lost_ns) as lost_ns, min(m.request_id) as lost_request
  from refused r
  join mention m on m.epoch_id = r.epoch_id and m.at_ns = r.lost_ns and m.is_loss
  group by m.epoch_id
),
-- The instance that owns the session: the one that issued it, else the one that answered it most often.
served as (
  select epoch_id, backend
  from (
    select m.epoch_id, r.backend, row_number() over (partition by m.epoch_id order by count(*) desc, r.backend) as nth
    from mention m
    join life l on l.epoch_id = m.epoch_id
    join request r on r.request_id = m.request_id
    left join request i on i.request_id = l.issued_request
    where i.backend is null and r.backend is not null and m.is_ok and not m.is_loss
    group by m.epoch_id, r.backend) x
  where nth = 1
)
select l.epoch_id, l.namespace, o.hop, o.vantage, l.session, l.ordinal,
  l.issued_request is not null as issued, l.issued_request, l.issued_ns, l.first_ns, l.last_ns, l.last_ok_ns, l.deleted_ns, l.requests,
  x.lost_ns, x.lost_request, q.status as lost_status,
  case when l.deleted_ns is not null then 'deleted' when x.lost_ns is not null then 'lost' else 'last-sight' end as ended_by,
  o.principal, o.client, o.user_agent, o.connection, o.is_span, o.source_id,
  coalesce(i.client_info, o.client_info) as client_info, coalesce(i.server_info, o.server_info) as server_info,
  coalesce(i.backend, v.backend) as backend
from life l
-- an epoch is named after the request that begins it
join request o on o.request_id = (l.epoch_id - l.epoch_id % 2) / 2
left join request i on i.request_id = l.issued_request
left join loss x on x.epoch_id = l.epoch_id
left join request q on q.request_id = x.lost_request
left join served v on v.epoch_id = l.epoch_id
