-- When an event id first arrived on a logical stream of an epoch, and with what data.
select d.epoch_id, d.event_id, p.stream_id, d.hop,
  min(d.at_ns) as first_ns, min(d.request_id) as first_request, min(d.data_digest) as data_digest, max(d.data_digest) as other_digest,
  min(d.id_stream) as id_stream, min(d.id_seq) as id_seq, min(d.id_session) as id_session, min(d.id_family) as id_family,
  count(*) as times, bool_and(d.priming) as priming
from delivery d
join stream_part p on p.request_id = d.request_id
where d.event_id is not null and d.epoch_id is not null
group by d.epoch_id, d.event_id, p.stream_id, d.hop
