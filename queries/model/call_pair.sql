-- The same tool with the same arguments, one call after the other in one history, and how regular that was.
-- Calls that never ran, that asked for input or that answer such a question are not counted.
with ran as (
  select call_id, history, tool, arguments_digest, started_ns
  from tool_call
  where arguments_digest is not null and outcome not in ('rejected', 'input-required', 'tool-error') and not input_retry
),
paired as (
  select call_id, history, tool, arguments_digest, started_ns,
    lag(call_id) over (partition by history, tool, arguments_digest order by started_ns, call_id) as first_id,
    lag(started_ns) over (partition by history, tool, arguments_digest order by started_ns, call_id) as first_started_ns
  from ran
)
select call_id as second_id, first_id, history, tool, arguments_digest, first_started_ns, started_ns as second_started_ns,
  started_ns - first_started_ns as gap_ns
from paired
where first_id is not null
