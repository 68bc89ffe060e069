-- What the capture holds, each thing once however many files show it.
select
  (select count(*) from request) as exchanges,
  (select count(*) from (select distinct namespace, session from epoch) x) as sessions,
  (select count(*) from epoch) as epochs,
  (select count(*) from stream) as streams,
  (select count(*) from event e join voice v on v.exchange_id = e.exchange_id where e.complete) as events,
  (select count(*) from message m join voice v on v.exchange_id = m.exchange_id) as messages,
  (select count(*) from tool_call) as tool_calls,
  (select count(*) from resume) as resumes,
  (select min(at_ns) from request) as first_ns,
  (select max(finished_ns) from request) as last_ns
