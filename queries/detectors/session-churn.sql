-- ---
-- id: session-churn
-- title: A fresh session for nearly every call
-- explanation: "A client of {endpoint} opened {sessions} sessions for {calls} calls."
-- severity: info
-- era: sessions
-- needs: [request-headers, response-headers]
-- params: { sessions: { type: integer, default: 10, min: 3, max: 100000 } }
-- key: [endpoint, first_request]
-- remedy: Client - keep the session for as long as the conversation lasts; sessions that serve one call cannot be resumed.
-- false-positives: ["Hosts that open a session for each call by design"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management"]
-- ---
-- initialize does not carry the session, the initialized notification does: what comes beyond that one is use
with counted as (
  select e.hop, k.client_key, e.session, e.first_ns, e.issued_request, case when e.requests > 1 then e.requests - 1 else 0 end as calls,
    row_number() over (partition by e.hop, k.client_key order by e.first_ns, e.epoch_id) as nth
  from epoch e
  join client_key k on k.epoch_id = e.epoch_id
  where e.issued
)
select min(case when nth = 1 then session end) as session, min(first_ns) as at_ns, max(first_ns) as until_ns, 'info' as severity, 'probable' as confidence,
  string_agg(case when nth <= 10 then cast(issued_request as varchar) end, ',' order by first_ns, issued_request) as exchanges,
  hop as endpoint, min(case when nth = 1 then issued_request end) as first_request, count(*) as sessions, sum(calls) as calls
from counted
group by hop, client_key
having count(*) >= $sessions and sum(calls) <= 2 * count(*)
