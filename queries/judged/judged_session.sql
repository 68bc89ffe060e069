-- Sessions that were seen in the range, and those that a request ties to them: their histories are read whole.
with recursive tie as (
  select request_session as session, response_session as other
  from exchange
  where request_session <> response_session and request_session <> '' and response_session <> ''
  union
  select response_session, request_session
  from exchange
  where request_session <> response_session and request_session <> '' and response_session <> ''
),
active as (
  select request_session, response_session from exchange, judged_range
  where coalesce(ended_ns, started_ns) >= from_ns
),
reached as (
  select request_session as session from active where request_session <> ''
  union
  select response_session from active where response_session <> ''
  union
  select t.other from reached r join tie t on t.session = r.session
)
select session from reached
