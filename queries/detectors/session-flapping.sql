-- ---
-- id: session-flapping
-- title: A session was known, unknown and known again
-- explanation: "Session {session} was known and unknown by turns ({known} answers, {unknown} refusals) although nobody initialized again: about {replicas} replicas without shared sessions or stickiness."
-- severity: high
-- era: sessions
-- needs: [request-headers, status]
-- key: [session, refusal_request]
-- remedy: Deployment - route by Mcp-Session-Id (sticky sessions on the header), or give the replicas a shared session store.
-- false-positives: ["A server that answers 404 for something else than the session under the same HTTP method"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management"]
-- ---
-- compared per HTTP method: a server that does not offer GET streams answers every GET 404 and loses nothing
with turn as (
  select m.epoch_id, m.session, m.request_id, m.at_ns, m.http_method, r.status, r.backend, m.is_loss and r.status >= 400 as unknown, r.saw_response_body,
    m.is_ok and not m.is_loss as known
  from mention m join request r on r.request_id = m.request_id
  where m.role = 'request' and m.http_method <> 'DELETE' and not r.is_initialize
    and m.epoch_id in (select epoch_id from mention where is_loss)
),
around as (
  select epoch_id, session, request_id, at_ns, http_method, unknown, known, backend, saw_response_body,
    max(case when known then 1 else 0 end) over (partition by epoch_id, http_method order by at_ns, request_id rows between unbounded preceding and 1 preceding) as known_before,
    max(case when known then 1 else 0 end) over (partition by epoch_id, http_method order by at_ns, request_id rows between 1 following and unbounded following) as known_after
  from turn
),
instance as (
  select epoch_id, string_agg(backend, ', ' order by backend) as backends
  from (select distinct epoch_id, backend from turn where backend is not null) x
  group by epoch_id
),
flap as (
  select epoch_id, min(request_id) as refusal_request, count(*) as flaps
  from around where unknown and known_before = 1 and known_after = 1
  group by epoch_id
  -- a lone 404 of which no body was recorded may be about the method, not the session
  having count(*) >= 2 or bool_or(saw_response_body)
)
select a.session, min(case when a.unknown then a.at_ns end) as at_ns, max(a.at_ns) as until_ns, 'high' as severity,
  case when min(f.flaps) >= 2 then 'definite' else 'probable' end as confidence,
  string_agg(case when a.nth <= 20 then cast(a.request_id as varchar) end, ',' order by a.at_ns, a.request_id) as exchanges,
  min(f.refusal_request) as refusal_request, sum(case when a.known then 1 else 0 end) as known, sum(case when a.unknown then 1 else 0 end) as unknown,
  -- one that knows the session, and at least one that does not
  cast(greatest(2, round(count(*) filter (where a.known or a.unknown) / sum(case when a.known then 1.0 else 0 end))) as bigint) as replicas,
  min(i.backends) as backends
from (select *, row_number() over (partition by epoch_id order by case when unknown then 0 else 1 end, at_ns, request_id) as nth from around) a
join flap f on f.epoch_id = a.epoch_id
left join instance i on i.epoch_id = a.epoch_id
group by a.epoch_id, a.session
