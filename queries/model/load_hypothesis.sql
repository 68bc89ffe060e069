-- Every cause that has its mechanism on its side, with the counts that its test needs. One row per cause, hop and window.
-- tries: how many thresholds, bands, windows or hours were looked at to find it. trials null: Fisher's test on the four counts,
-- otherwise the binomial test of hits in trials at the share that chance would give; with cells Fisher's test on days' hours.
with windows as (select hop, count(*) as tries from load_change group by hop),
found as (
  select c.cause, c.hop, c.unit, c.window_id, c.from_ns, c.until_ns, c.failed_inside, c.kept_inside, c.failed_outside, c.kept_outside, w.tries,
    null as trials, null as hits, null as share, null as cells, null as low_ns, null as high_ns, null as metric, null as load,
    c.backends_gone, c.backends_new
  from load_change c
  join windows w on w.hop = c.hop
  union all
  select 'dead-owner', hop, unit, null, null, null, failed_inside, kept_inside, failed_outside, kept_outside, failed_inside + failed_outside,
    null, null, null, null, low_ns, high_ns, null, null, null, null
  from load_wait
  union all
  select 'affinity-loss', hop, unit, null, from_ns, until_ns, failed_inside, kept_inside, failed_outside, kept_outside, 1,
    null, null, null, null, null, null, null, null, null, null
  from load_affinity
  union all
  -- one session in ten may come back by some mishap
  select 'affinity-loss', hop, 'session', null, from_ns, until_ns, failed_inside, 0, failed_outside, 0, 1,
    failed_inside + failed_outside, failed_inside, 0.1, null, null, null, 'revival', null, null, null
  from load_revival
  union all
  select s.cause, s.hop, 'session', null, null, null, s.failed_inside, s.kept_inside, s.failed_outside, s.kept_outside,
    case s.cause when 'idle-eviction' then 2 * s.failures else s.failures end,
    null, null, null, null, s.survived_ns, s.fatal_ns, s.measure, null, null, null
  from load_split s
  -- a session that paused for long is old as well: the pause says more
  where s.cause = 'idle-eviction' or not exists (select 1 from load_split i where i.hop = s.hop and i.cause = 'idle-eviction')
  union all
  select 'overload', hop, 'failure', null, from_ns, until_ns, failed_inside, kept_inside, failed_outside, kept_outside, 2 * thresholds,
    losses, losses_above, share, null, null, null, metric, load, null, null
  from load_peak
  union all
  select 'periodic', hop, 'failure', null, from_ns, until_ns, failed_inside, kept_inside, failed_outside, kept_outside, 24,
    hits, hits_above, share, cells, of_day_ns, of_day_ns + 3600000000000, null, null, null, null
  from load_hour
)
select row_number() over (order by hop, cause, unit, window_id) as hypothesis_id, f.*
from found f
