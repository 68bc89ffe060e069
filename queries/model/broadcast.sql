-- One message on two streams that were connected at the same time, and answers on a GET that resumes nothing.
with live as (
  select d.request_id, d.ordinal, d.epoch_id, d.event_id, d.data_digest, d.at_ns, r.http_method, r.finished_ns, p.stream_id
  from delivery d
  join request r on r.request_id = d.request_id
  join stream_part p on p.request_id = d.request_id and not p.is_resume
  where d.epoch_id is not null and not d.priming and d.data_digest is not null and d.data_bytes > 0
),
-- same id and data on another stream that was still open
paired as (
  select epoch_id, data_digest, event_id, request_id, stream_id, at_ns,
    lag(request_id) over (partition by epoch_id, data_digest, event_id order by at_ns, request_id) as before_request,
    lag(stream_id) over (partition by epoch_id, data_digest, event_id order by at_ns, request_id) as before_stream,
    lag(at_ns) over (partition by epoch_id, data_digest, event_id order by at_ns, request_id) as before_ns,
    lag(finished_ns) over (partition by epoch_id, data_digest, event_id order by at_ns, request_id) as open_until_ns
  from live where event_id is not null
),
named as (
  select epoch_id, data_digest, min(before_ns) as at_ns, max(at_ns) as until_ns, min(before_request) as first_request, max(request_id) as other_request
  from paired
  where before_stream <> stream_id and open_until_ns >= at_ns
  group by epoch_id, data_digest, event_id
),
-- or, on two listening streams, the same data within a second
unnamed as (
  select epoch_id, data_digest, request_id, at_ns,
    lag(request_id) over (partition by epoch_id, data_digest order by at_ns, request_id) as before_request,
    lag(at_ns) over (partition by epoch_id, data_digest order by at_ns, request_id) as before_ns
  from live where http_method = 'GET'
)
select epoch_id, at_ns, until_ns, first_request, other_request, 'message' as kind from named
union all
select u.epoch_id, u.before_ns, u.at_ns, u.before_request, u.request_id, 'message'
from unnamed u
where u.before_request <> u.request_id and u.at_ns - u.before_ns <= 1000000000
  and not exists (select 1 from named n where n.epoch_id = u.epoch_id and n.data_digest = u.data_digest)
union all
select m.epoch_id, m.at_ns, m.at_ns, m.request_id, null, 'response'
from server_message m
join request r on r.request_id = m.request_id
join stream_part p on p.request_id = m.request_id
where m.kind in ('result', 'error') and m.rpc_id is not null and r.http_method = 'GET' and r.is_ok and not p.is_resume and m.epoch_id is not null
