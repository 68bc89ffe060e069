-- Pairs of equal calls of which the second came after a fault that concerned the first.
-- A fault of the first call's own stream counts for an hour; a loss or change of the session only where the first call
-- was in flight or had just been answered, and the second came within ten minutes.
with pair as (
  select p.first_id, p.second_id, p.history, p.tool, p.arguments_digest, p.first_started_ns, p.second_started_ns, p.gap_ns,
    a.stream_id, a.epoch_id as first_epoch, b.epoch_id as second_epoch, coalesce(a.answered_ns, a.finished_ns, a.started_ns) as first_ended_ns
  from call_pair p
  join tool_call a on a.call_id = p.first_id
  join tool_call b on b.call_id = p.second_id
),
own as (
  select p.first_id, p.second_id, f.request_id, f.kind, f.at_ns
  from pair p join fault f on f.stream_id = p.stream_id
  where f.at_ns >= p.first_started_ns and f.at_ns <= p.second_started_ns and p.second_started_ns - f.at_ns <= 3600000000000
),
session as (
  select p.first_id, p.second_id, f.request_id, f.kind, f.at_ns
  from pair p join fault f on f.epoch_id = p.first_epoch and f.kind in ('loss', 'epoch-change')
  where f.at_ns >= p.first_started_ns and f.at_ns <= p.second_started_ns
    and f.at_ns - p.first_ended_ns <= 60000000000 and p.second_started_ns - f.at_ns <= 600000000000
),
caused as (
  select first_id, second_id, request_id, kind, at_ns, row_number() over (partition by first_id, second_id order by at_ns, request_id) as nth
  from (select * from own union all select * from session) x
),
-- Polling goes on at its own rhythm: a pause that is as long as pauses without a fault proves no retry.
calm as (
  select p.history, p.tool, p.arguments_digest, count(*) as pauses, min(p.gap_ns) as least_ns, max(p.gap_ns) as most_ns
  from pair p
  where not exists (select 1 from caused c where c.first_id = p.first_id and c.second_id = p.second_id)
  group by p.history, p.tool, p.arguments_digest
)
select p.first_id, p.second_id, p.tool, p.arguments_digest, p.first_epoch, p.second_epoch, c.request_id as fault_request, c.kind as fault, c.at_ns as fault_ns,
  p.first_started_ns, p.second_started_ns
from pair p
join caused c on c.first_id = p.first_id and c.second_id = p.second_id and c.nth = 1
left join calm k on k.history = p.history and k.tool = p.tool and k.arguments_digest = p.arguments_digest
where k.pauses is null or k.pauses < 2 or p.gap_ns * 2 < k.least_ns or p.gap_ns > k.most_ns * 2
