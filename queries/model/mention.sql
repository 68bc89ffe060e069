-- Every mention of a session id: by the request that carried it or the response that issued it, with the epoch it falls into.
-- The same id initialised again begins a new epoch: same name, other life.
with said as (
  -- ids of up to 12 characters may be given twice by two servers; longer ones name one session wherever they are seen
  select request_id, at_ns, case when length(request_session) > 12 then '' else hop end as namespace, request_session as session, 'request' as role,
    -- an answer under another session says nothing of this one
    is_ok and (response_session is null or response_session = request_session) as is_ok, is_loss, false as is_issue, http_method
  from request
  where request_session is not null and is_session_era and at_ns is not null
  union all
  select request_id, at_ns, case when length(response_session) > 12 then '' else hop end, response_session, 'response', is_ok, false, is_initialize, http_method
  from request
  where response_session is not null and response_session is distinct from request_session and is_session_era and at_ns is not null
  union all
  -- initialize under a known id that is answered under the same id: the id begins again
  select request_id, at_ns, case when length(response_session) > 12 then '' else hop end, response_session, 'reissue', is_ok, false, true, http_method
  from request
  where is_initialize and response_session = request_session and is_ok and is_session_era and at_ns is not null
),
counted as (
  select request_id, at_ns, namespace, session, role, is_ok, is_loss, is_issue, http_method,
    sum(case when is_issue and is_ok then 1 else 0 end) over (
      partition by namespace, session order by at_ns, request_id, role rows between unbounded preceding and current row) as issues,
    first_value(case when is_issue and is_ok then 1 else 0 end) over (
      partition by namespace, session order by at_ns, request_id, role rows between unbounded preceding and current row) as first_is_issue
  from said
),
lives as (
  select request_id, at_ns, namespace, session, role, is_ok, is_loss, is_issue, http_method,
    -- first sight without an issue is life 1, the first issue after it life 2
    case when first_is_issue = 1 then issues else issues + 1 end as ordinal
  from counted
)
select request_id, at_ns, namespace, session, role, is_ok, is_loss, is_issue, http_method, ordinal,
  first_value(request_id * 2 + case when role = 'request' then 0 else 1 end) over (
    partition by namespace, session, ordinal order by at_ns, request_id, role) as epoch_id
from lives
