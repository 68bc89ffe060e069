-- When an event id first arrived on a logical stream of an epoch, and with what data. `digests`: how many different data came under it.
with placed as (
  select d.epoch_id, d.event_id, p.stream_id, d.hop, d.at_ns, d.request_id, d.data_digest, d.id_stream, d.id_seq, d.id_session, d.id_family, d.priming,
    row_number() over (partition by d.epoch_id, d.event_id, p.stream_id, d.hop order by d.at_ns, d.request_id, d.ordinal) as nth
  from delivery d
  join stream_part p on p.request_id = d.request_id
  where d.event_id is not null and d.epoch_id is not null
)
select epoch_id, event_id, stream_id, hop,
  min(at_ns) as first_ns, max(at_ns) as last_ns,
  min(case when nth = 1 then request_id end) as first_request, max(request_id) as last_request,
  min(case when nth = 1 then data_digest end) as data_digest, count(distinct data_digest) as digests,
  min(id_stream) as id_stream, min(id_seq) as id_seq, min(id_session) as id_session, min(id_family) as id_family,
  count(*) as times, bool_and(priming) as priming
from placed
group by epoch_id, event_id, stream_id, hop
