-- Progress that does not increase, or for a token that no request of the session has or that was answered already.
-- What a resume brought again is a replay and not judged here. A token may be used again: each request begins anew.
with asked as (
  select c.epoch_id, c.progress_token, c.started_ns as at_ns, c.call_id, a.answered_ns, a.answered_request, c.task_id
  from call_request c left join call_answer a on a.call_id = c.call_id
  where c.progress_token is not null and c.epoch_id is not null
),
told as (
  select m.epoch_id, m.progress_token, m.at_ns, m.request_id, m.ordinal, m.progress
  from server_message m
  where m.rpc_method = 'notifications/progress' and m.progress_token is not null and m.epoch_id is not null and m.task_id is null
    and not exists (select 1 from replay y where y.request_id = m.request_id and y.ordinal = m.event_ordinal)
    and not exists (select 1 from foreign_event f where f.request_id = m.request_id and f.ordinal = m.event_ordinal)
),
mixed as (
  select epoch_id, progress_token, at_ns, call_id, 0 as request_id, 0 as ordinal, null as progress, answered_ns, answered_request, 1 as asks, task_id from asked
  union all
  select epoch_id, progress_token, at_ns, null, request_id, ordinal, progress, null, null, 0, null from told
),
turned as (
  select *,
    sum(asks) over (partition by epoch_id, progress_token order by at_ns, asks desc, request_id, ordinal rows between unbounded preceding and current row) as turn
  from mixed
),
judged as (
  select t.*,
    max(answered_ns) over (partition by epoch_id, progress_token, turn) as done_ns,
    max(answered_request) over (partition by epoch_id, progress_token, turn) as done_request,
    max(task_id) over (partition by epoch_id, progress_token, turn) as turn_task,
    max(progress) over (partition by epoch_id, progress_token, turn order by at_ns, asks desc, request_id, ordinal rows between unbounded preceding and 1 preceding) as top
  from turned t
),
odd as (
  select j.epoch_id, j.progress_token, j.at_ns, j.request_id,
    case
      when j.turn = 0 then 'was sent for no request of the session'
      when j.progress <= j.top then 'does not increase'
      when j.done_ns is not null and j.at_ns > j.done_ns and j.request_id = j.done_request then 'went on after the answer'
      when j.done_ns is not null and j.at_ns > j.done_ns + 1000000000 then 'went on after the answer'
    end as kind
  from judged j
  join epoch e on e.epoch_id = j.epoch_id
  where j.asks = 0 and j.turn_task is null
    and (j.turn > 0 or (e.issued
      and exists (select 1 from request i where i.request_id = e.issued_request and i.is_assignment) and not exists (
      select 1 from session_request s join request r on r.request_id = s.request_id
      where s.epoch_id = j.epoch_id and r.http_method = 'POST' and not r.saw_request_body)))
)
select epoch_id, progress_token, at_ns, request_id, kind,
  row_number() over (partition by epoch_id, progress_token, kind order by at_ns, request_id) as nth
from odd where kind is not null
