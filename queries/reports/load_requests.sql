-- Requests and losses over time, for the load chart; all endpoints together, in about 120 slices.
with span as (
  select min(at_ns) as from_ns, max(at_ns) as to_ns from request
),
width as (
  select min(w.seconds) * 1000000000 as width_ns
  from span s
  join (values (cast(1 as bigint)), (5), (10), (30), (60), (300), (600), (1800), (3600), (21600), (86400), (604800), (31536000)) as w(seconds)
    on w.seconds * 120000000000 >= s.to_ns - s.from_ns
)
select r.at_ns - r.at_ns % w.width_ns as bucket_ns, min(w.width_ns) as width_ns, count(*) as requests,
  count(e.epoch_id) as losses
from request r
cross join width w
left join epoch e on e.lost_request = r.request_id
where r.at_ns is not null
group by r.at_ns - r.at_ns % w.width_ns
order by bucket_ns
