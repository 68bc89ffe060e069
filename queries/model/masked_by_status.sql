-- Losses that only their aftermath shows, where no body was recorded: a session that had worked is answered 400 and never again
-- anything else, and its client takes a new session within a minute.
with bad as (
  select m.epoch_id, m.request_id, m.at_ns, r.finished_ns, row_number() over (partition by m.epoch_id order by m.at_ns, m.request_id) as nth
  from mention m
  join request r on r.request_id = m.request_id
  join epoch e on e.epoch_id = m.epoch_id
  where r.status = 400 and m.role = 'request' and m.http_method = 'POST' and not m.is_loss and not r.saw_response_body
    and e.last_ok_ns is not null and e.lost_ns is null and m.at_ns > e.last_ok_ns and (e.deleted_ns is null or m.at_ns < e.deleted_ns)
),
refused as (
  select epoch_id, min(at_ns) as at_ns, max(finished_ns) as until_ns, min(case when nth = 1 then request_id end) as masked_request, count(*) as answers,
    string_agg(case when nth <= 20 then cast(request_id as varchar) end, ',' order by at_ns, request_id) as exchanges
  from bad
  group by epoch_id
)
select f.epoch_id, e.session, f.at_ns, f.until_ns, f.masked_request, f.answers, f.exchanges
from refused f
join epoch e on e.epoch_id = f.epoch_id
where exists (
  select 1
  from client_key k
  join client_key o on o.client_key = k.client_key and o.epoch_id <> k.epoch_id
  join epoch n on n.epoch_id = o.epoch_id
  where k.epoch_id = f.epoch_id and n.issued and n.issued_ns >= f.at_ns and n.issued_ns <= f.until_ns + 60000000000)
