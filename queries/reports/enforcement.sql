-- Resumes and losses that failed loudly, per endpoint, server, client and day. What diverged silently is counted from the findings.
with loud as (
  select u.hop, u.epoch_id, u.at_ns from resume u where u.verdict in ('session-gone', 'refused')
  union all
  select e.hop, e.epoch_id, e.lost_ns from epoch e
  where e.lost_ns is not null and e.lost_status = 404
    and not exists (select 1 from resume u where u.request_id = e.lost_request)
)
select l.hop, e.server_info, e.client_info, l.at_ns - l.at_ns % 86400000000000 as day_ns, count(*) as loud
from loud l
left join epoch e on e.epoch_id = l.epoch_id
group by l.hop, e.server_info, e.client_info, l.at_ns - l.at_ns % 86400000000000
order by l.hop, e.server_info, e.client_info, day_ns
