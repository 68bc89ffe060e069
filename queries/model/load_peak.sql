-- Losses against the load of the moment: the requests or the concurrency of a slice of time above which most losses lie.
-- Each slice weighs as much as it had requests to lose; and as one event may cost many sessions, the losses must lie at many moments.
with lossy as (
  select r.hop, r.at_ns - r.at_ns % b.width_ns as bucket_ns, count(distinct r.epoch_id) as losses, max(r.last_ok_ns) as last_ok_ns,
    min(r.at_ns) as first_ns, max(r.at_ns) as last_ns
  from load_event r
  join (select hop, min(width_ns) as width_ns from load_bucket group by hop) b on b.hop = r.hop
  group by r.hop, r.at_ns - r.at_ns % b.width_ns
),
timed as (
  select hop, bucket_ns, losses, first_ns, last_ns,
    -- A restart is found out for minutes after it: a slice is a moment of its own when it lost a session that had lived through the one before.
    case when last_ok_ns < lag(first_ns) over (partition by hop order by bucket_ns) then 0 else 1 end as moment
  from lossy
),
slice as (
  select b.hop, m.metric, case m.metric when 'request-rate' then b.served * 1e9 / b.width_ns else cast(b.busy_ns as double) / b.width_ns end as load,
    b.served + coalesce(l.losses, 0) as exposed, coalesce(l.losses, 0) as losses, coalesce(l.moment, 0) as moment, l.first_ns, l.last_ns
  from load_bucket b
  cross join (values ('request-rate'), ('concurrency')) as m(metric)
  left join timed l on l.hop = b.hop and l.bucket_ns = b.bucket_ns
),
counted as (
  select hop, metric, load, losses as losses_here,
    sum(exposed) over above as exposed_above, sum(losses) over above as losses_above, sum(moment) over above as hits_above,
    min(first_ns) over above as first_ns, max(last_ns) over above as last_ns,
    sum(exposed) over (partition by hop, metric) as exposed, sum(losses) over (partition by hop, metric) as losses,
    sum(moment) over (partition by hop, metric) as hits,
    sum(case when losses > 0 then 1 else 0 end) over (partition by hop, metric) as thresholds
  from slice
  window above as (partition by hop, metric order by load desc)
),
weighed as (
  -- How far the losses, and the slices that hold them, are from the share of traffic above the threshold (relative entropy, in nats).
  select *, cast(exposed_above as double) / exposed as share,
    losses_above * ln(losses_above * cast(exposed as double) / (cast(losses as double) * exposed_above))
      + case when losses > losses_above
        then (losses - losses_above) * ln((losses - losses_above) * cast(exposed as double) / (cast(losses as double) * (exposed - exposed_above)))
        else 0 end as surprise,
    case when hits_above > 0 then hits_above * ln(hits_above * cast(exposed as double) / (cast(hits as double) * exposed_above)) else 0 end
      + case when hits > hits_above
        then (hits - hits_above) * ln((hits - hits_above) * cast(exposed as double) / (cast(hits as double) * (exposed - exposed_above)))
        else 0 end as slice_surprise
  from counted
  where losses_here > 0 and hits > 0 and 10 * exposed_above <= 9 * exposed and losses_above * exposed > losses * exposed_above
),
best as (
  select *, row_number() over (partition by hop order by surprise desc, metric, load) as nth from weighed
)
select hop, metric, load, thresholds, losses, losses_above, share, losses_above as failed_inside, exposed_above - losses_above as kept_inside,
  losses - losses_above as failed_outside, exposed - exposed_above - losses + losses_above as kept_outside,
  first_ns as from_ns, last_ns as until_ns
from best
where nth = 1 and hits_above >= 5 and 3 * losses_above >= 2 * losses
  -- Three times as many losses a request as below; spread over slices by more than chance (p < 0.05 by Chernoff's bound).
  and losses_above * (exposed - exposed_above) >= 3 * (losses - losses_above) * exposed_above
  and hits_above * exposed > hits * exposed_above and slice_surprise > 3
