-- What became of each session: kept, lost (the server no longer knew it) or stuck (nothing but gateway errors after the last success).
-- One row per session, so that a thousand refusals of one dead session are one loss. Sessions never seen alive are left out.
with life as (
  select epoch_id, min(hop) as hop, min(owner) as owner,
    min(case when outcome = 'ok' then at_ns end) as born_ns,
    max(last_ok_ns) as last_ok_ns,
    max(at_ns) as last_step_ns,
    count(*) filter (where outcome = 'ok') as ok_steps,
    max(case when outcome = 'ok' then idle_ns end) as survived_idle_ns,
    max(case when outcome = 'ok' then uncalled_ns end) as survived_uncalled_ns,
    max(case when outcome <> 'ok' and at_ns > last_ok_ns then waited_ns end) as longest_wait_ns
  from session_step
  group by epoch_id
),
failing as (
  select epoch_id, request_id, at_ns, backend, outcome, idle_ns, uncalled_ns,
    row_number() over (partition by epoch_id order by case outcome when 'lost' then 0 else 1 end, at_ns, request_id) as nth
  from session_step
  where outcome in ('lost', 'gateway') and at_ns > last_ok_ns and (deleted_ns is null or deleted_ns > at_ns)
)
select l.epoch_id, l.hop, l.owner, e.issued, l.born_ns, l.last_ok_ns, l.last_step_ns, l.ok_steps,
  case when l.ok_steps > 1 then l.survived_idle_ns end as survived_idle_ns,
  case when l.ok_steps > 1 then l.survived_uncalled_ns end as survived_uncalled_ns,
  l.last_ok_ns - l.born_ns as survived_age_ns,
  case f.outcome when 'lost' then 'lost' when 'gateway' then 'stuck' else 'kept' end as fate,
  f.request_id as failed_request, f.at_ns as failed_ns, f.backend as failed_backend,
  f.idle_ns as fatal_idle_ns, f.uncalled_ns as fatal_uncalled_ns,
  f.at_ns - l.born_ns as fatal_age_ns,
  case when f.at_ns is not null then l.longest_wait_ns end as failed_wait_ns
from life l
join epoch e on e.epoch_id = l.epoch_id
left join failing f on f.epoch_id = l.epoch_id and f.nth = 1
where l.ok_steps > 0
