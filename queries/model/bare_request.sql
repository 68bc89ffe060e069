-- Requests without a session id from a client that had been assigned one and had not lost it: by credential, recording, address or connection.
with who as (
  select r.request_id, r.hop, r.at_ns, r.finished_ns, r.status, r.http_method, r.rpc_method, r.request_session, r.response_session, r.is_initialize, r.is_assignment,
    case
      when r.principal is not null then 'p:' || r.principal
      when r.vantage = 'client' then 'h:' || cast(r.source_id as varchar) || ' ' || coalesce(r.user_agent, '')
      when r.client is not null then 'a:' || r.client || ' ' || coalesce(r.user_agent, '')
      when r.connection is not null then 'n:' || cast(r.source_id as varchar) || ' ' || r.connection
    end as client_key
  from request r
  where r.is_session_era and r.saw_request_headers and r.http_method in ('POST', 'GET', 'DELETE') and r.at_ns is not null
),
-- the latest session event of the client before each request: assigned, used, lost or ended
told as (
  select w.request_id, w.hop, w.client_key, w.at_ns,
    case
      when w.is_assignment and w.response_session is not null and w.status between 200 and 299 then w.request_id
    end as assigned_request
  from who w where w.client_key is not null
),
latest as (
  select request_id, hop, client_key, at_ns,
    max(case when assigned_request is not null then at_ns end) over (
      partition by hop, client_key order by at_ns, request_id rows between unbounded preceding and 1 preceding) as assigned_ns
  from told
)
select w.request_id, w.hop, w.at_ns, w.finished_ns, w.status, w.http_method, w.rpc_method, w.client_key, e.epoch_id, e.session, e.lost_ns, e.deleted_ns,
  w.rpc_method is not null as method_known
from who w
join latest t on t.request_id = w.request_id
join who a on a.hop = t.hop and a.client_key = t.client_key and a.at_ns = t.assigned_ns and a.is_assignment and a.response_session is not null
join epoch e on e.issued_request = a.request_id
where w.request_session is null and not w.is_initialize and w.response_session is null and w.at_ns >= a.finished_ns
  and (e.deleted_ns is null or w.at_ns < e.deleted_ns)
