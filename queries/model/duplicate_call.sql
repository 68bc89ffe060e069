-- Calls that ran or may have run twice, with the mechanism: the first that holds.
-- The second ran in the session that answered it, which need not be the one it was sent under.
with again as (
  select a.call_id as first_call, b.call_id as second_call, a.request_id as first_request, b.request_id as second_request, a.session,
    case when m.other_session is not null then m.other_session when b.session is distinct from a.session then b.session end as other_session,
    a.started_ns as at_ns, coalesce(b.ended_ns, b.finished_ns, b.started_ns) as until_ns, a.tool, d.fault,
    a.rpc_id as first_request_id, b.rpc_id as second_request_id, a.outcome as first_outcome, b.outcome as second_outcome,
    a.read_only or a.idempotent or coalesce(a.idempotency_key = b.idempotency_key, false) as harmless, a.destructive,
    coalesce(a.idempotency_key = b.idempotency_key, false) as idempotency_key, cast(null as varchar) as backends,
    case when d.fault_request in (a.request_id, b.request_id)
      then cast(a.request_id as varchar) || ',' || cast(b.request_id as varchar)
      else cast(a.request_id as varchar) || ',' || cast(d.fault_request as varchar) || ',' || cast(b.request_id as varchar) end as exchanges,
    case
      when a.rpc_id = b.rpc_id then 'same-request-resent'
      when not b.is_session_era then 'mandated-reissue'
      when exists (
        select 1 from replay y where y.epoch_id in (a.epoch_id, b.epoch_id) and y.at_ns >= a.started_ns and y.at_ns <= b.started_ns) then 'replay-acted-on'
      when a.epoch_id is distinct from coalesce(m.response_epoch_id, b.epoch_id) then 'epoch-change'
      else 'client-retry'
    end as mechanism
  from repeated_call d
  join tool_call a on a.call_id = d.first_id
  join tool_call b on b.call_id = d.second_id
  left join (
    select r.request_id, r.response_session as other_session, s.response_epoch_id
    from request r join session_request s on s.request_id = r.request_id
    where r.is_ok and not r.is_initialize and r.response_session <> r.request_session) m on m.request_id = b.request_id
),
-- One POST that the proxy sent to two upstreams. A log that does not know the method cannot say that it was a call.
tried as (
  select r.request_id, r.call_group, r.request_session as session, r.at_ns, r.finished_ns, r.backends, r.tries, c.call_id, c.tool, c.rpc_id, c.outcome,
    coalesce(c.read_only or c.idempotent, false) as harmless, coalesce(c.destructive, false) as destructive
  from request r
  left join tool_call c on c.request_id = r.request_id
  where r.http_method = 'POST' and r.tries > 1 and r.is_ok
    and (c.call_id is not null or (r.rpc_method is null and not r.saw_request_body and r.request_session is not null))
)
select first_request, second_request, session, other_session, at_ns, until_ns, tool, fault, first_request_id, second_request_id, first_outcome, second_outcome,
  harmless, destructive, idempotency_key, backends, exchanges, mechanism
from again
where not exists (select 1 from tried t where t.call_id in (again.first_call, again.second_call))
union all
select request_id, request_id, session, null, at_ns, finished_ns, tool, 'a failed try', rpc_id, rpc_id,
  'unknown', coalesce(outcome, 'unknown'), harmless, destructive, false, backends, cast(request_id as varchar), 'proxy-retry'
from tried
