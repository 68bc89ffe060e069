select * from session
where session in (
  select request_session from exchange e join judged_exchange j on j.exchange_id = e.exchange_id
  union all
  select response_session from exchange e join judged_exchange j on j.exchange_id = e.exchange_id
  union all
  select cursor_session from exchange e join judged_exchange j on j.exchange_id = e.exchange_id
  union all
  select id_session from event v join judged_exchange j on j.exchange_id = v.exchange_id)
