-- Requests without a session id from a client that holds one: by credential, recording, address or connection.
-- A credential that was used with a session holds it too, so that a renewed token does not hide whose session it is.
with wanting as (
  select request_id, hop, at_ns, finished_ns, status, http_method, rpc_method, cast(null as bigint) as epoch_id, vantage, is_span, principal, client, user_agent, connection
  from request
  where request_session is null and response_session is null and not is_initialize and is_session_era and saw_request_headers
    and http_method in ('POST', 'GET', 'DELETE') and at_ns is not null
),
assigning as (
  select r.request_id, r.hop, r.at_ns, r.finished_ns, r.status, r.http_method, r.rpc_method, e.epoch_id, r.vantage, r.is_span, r.principal, r.client, r.user_agent, r.connection
  from request r
  join epoch e on e.issued_request = r.request_id
  where r.is_assignment and exists (select 1 from wanting)
),
-- the first use of each session under each credential
used as (
  select r.request_id, r.hop, r.at_ns, r.finished_ns, r.status, r.http_method, r.rpc_method, s.epoch_id, r.vantage, r.is_span, r.principal, r.client, r.user_agent, r.connection,
    row_number() over (partition by s.epoch_id, r.principal order by r.at_ns, r.request_id) as nth
  from request r
  join session_request s on s.request_id = r.request_id
  where r.principal is not null and r.request_session is not null and r.is_ok and not r.is_loss and not r.is_initialize and r.is_session_era and r.at_ns is not null
    and exists (select 1 from wanting)
),
who as (
  select request_id, hop, at_ns, finished_ns, status, http_method, rpc_method, epoch_id,
    case
      when principal is not null then 'p:' || principal
      when vantage = 'client' and not is_span then 'h:' || coalesce(user_agent, '')
      when client is not null then 'a:' || client || ' ' || coalesce(user_agent, '')
      when connection is not null then 'n:' || connection
    end as client_key
  from (
    select * from wanting
    union all
    select * from assigning
    union all
    select request_id, hop, at_ns, finished_ns, status, http_method, rpc_method, epoch_id, vantage, is_span, principal, client, user_agent, connection
    from used where nth = 1) x
),
-- the latest session of the client before each request
latest as (
  select request_id, hop, at_ns, finished_ns, status, http_method, rpc_method, epoch_id, client_key,
    max(case when epoch_id is not null then at_ns end) over (
      partition by hop, client_key order by at_ns, request_id rows between unbounded preceding and 1 preceding) as held_ns
  from who
  where client_key is not null
),
held as (
  select hop, client_key, at_ns, min(epoch_id) as epoch_id, min(finished_ns) as finished_ns
  from latest where epoch_id is not null group by hop, client_key, at_ns
)
select w.request_id, w.hop, w.at_ns, w.finished_ns, w.status, w.http_method, w.rpc_method, e.epoch_id, e.session, e.lost_ns, e.deleted_ns,
  w.rpc_method is not null as method_known
from latest w
join held a on a.hop = w.hop and a.client_key = w.client_key and a.at_ns = w.held_ns
join epoch e on e.epoch_id = a.epoch_id
where w.epoch_id is null and w.at_ns >= a.finished_ns and e.issued and (e.deleted_ns is null or w.at_ns < e.deleted_ns)
