-- Requests of one session under one id, in groups that were in flight at the same time.
with flight as (
  select call_id, request_id, scope, rpc_id, started_ns,
    max(coalesce(answered_ns, finished_ns, started_ns)) over (
      partition by scope, rpc_id order by started_ns, call_id rows between unbounded preceding and 1 preceding) as busy_ns
  from rpc_call
  where rpc_id is not null and epoch_id is not null and hop_nth = 1
),
numbered as (
  select call_id, request_id, scope, rpc_id, started_ns,
    sum(case when busy_ns is null or started_ns >= busy_ns then 1 else 0 end) over (
      partition by scope, rpc_id order by started_ns, call_id rows between unbounded preceding and current row) as island
  from flight
)
select call_id, request_id, scope, rpc_id, started_ns, island, count(*) over (partition by scope, rpc_id, island) as in_flight,
  count(*) over (partition by scope, rpc_id) as uses
from numbered
