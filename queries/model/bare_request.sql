-- Requests without a session id from a client that had been assigned one: by credential, recording, address or connection.
with wanting as (
  select request_id, hop, at_ns, finished_ns, status, http_method, rpc_method, response_session, vantage, source_id, principal, client, user_agent, connection, 1 as bare
  from request
  where request_session is null and response_session is null and not is_initialize and is_session_era and saw_request_headers
    and http_method in ('POST', 'GET', 'DELETE') and at_ns is not null
),
assigning as (
  select request_id, hop, at_ns, finished_ns, status, http_method, rpc_method, response_session, vantage, source_id, principal, client, user_agent, connection, 0 as bare
  from request
  where is_assignment and response_session is not null and is_ok and is_session_era and at_ns is not null
    and exists (select 1 from wanting)
),
who as (
  select request_id, hop, at_ns, finished_ns, status, http_method, rpc_method, bare,
    case
      when principal is not null then 'p:' || principal
      when vantage = 'client' then 'h:' || cast(source_id as varchar) || ' ' || coalesce(user_agent, '')
      when client is not null then 'a:' || client || ' ' || coalesce(user_agent, '')
      when connection is not null then 'n:' || cast(source_id as varchar) || ' ' || connection
    end as client_key
  from (select * from wanting union all select * from assigning) x
),
-- the latest assignment of the client before each request
latest as (
  select request_id, hop, at_ns, finished_ns, status, http_method, rpc_method, bare, client_key,
    max(case when bare = 0 then at_ns end) over (
      partition by hop, client_key order by at_ns, request_id rows between unbounded preceding and 1 preceding) as assigned_ns
  from who
  where client_key is not null
),
assigned as (
  select hop, client_key, at_ns, min(request_id) as request_id, min(finished_ns) as finished_ns
  from latest where bare = 0 group by hop, client_key, at_ns
)
select w.request_id, w.hop, w.at_ns, w.finished_ns, w.status, w.http_method, w.rpc_method, e.epoch_id, e.session, e.lost_ns, e.deleted_ns,
  w.rpc_method is not null as method_known
from latest w
join assigned a on a.hop = w.hop and a.client_key = w.client_key and a.at_ns = w.assigned_ns
join epoch e on e.issued_request = a.request_id
where w.bare = 1 and w.at_ns >= a.finished_ns and (e.deleted_ns is null or w.at_ns < e.deleted_ns)
