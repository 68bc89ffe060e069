-- ---
-- id: jsonrpc-id-reuse
-- title: A JSON-RPC id was used twice in one session
-- explanation: "Session {session} used {ids} ids more than once ({uses} requests); in flight at once - {at_once}."
-- severity: info
-- era: sessions
-- needs: [bodies]
-- key: [session, first_request]
-- remedy: Client - never use a request id twice in a session.
-- false-positives: ["Hosts that send id 1 for everything, one after the other, harm nobody"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic#requests"]
-- ---
select e.session, min(i.started_ns) as at_ns, max(i.started_ns) as until_ns,
  case when max(i.in_flight) > 1 then 'low' else 'info' end as severity, 'definite' as confidence,
  string_agg(case when i.nth <= 20 then cast(i.request_id as varchar) end, ',' order by i.started_ns, i.call_id) as exchanges,
  min(case when i.nth = 1 then i.request_id end) as first_request, count(distinct i.rpc_id) as ids, count(*) as uses, max(i.in_flight) > 1 as at_once
from (select *, row_number() over (partition by scope order by started_ns, call_id) as nth from call_island where uses > 1) i
join rpc_call c on c.call_id = i.call_id
join epoch e on e.epoch_id = c.epoch_id
group by e.session, c.epoch_id
