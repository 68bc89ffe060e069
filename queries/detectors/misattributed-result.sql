-- ---
-- id: misattributed-result
-- title: An answer to a request it does not belong to
-- explanation: "Session {session}: the answer with id {request_id} does not belong where it arrived ({proof})."
-- severity: high
-- needs: [bodies]
-- key: [session, answer_request, request_id, proof]
-- remedy: Server - route answers by connection and request, never by id alone. Client - use an id once in a session.
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic#requests", "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server"]
-- ---
select session, at_ns, at_ns as until_ns, 'high' as severity, 'definite' as confidence, cast(request_id as varchar) as exchanges,
  request_id as answer_request, rpc_id as request_id, proof
from stray_answer
union all
select c.session, d.at_ns, d.until_ns, 'high', 'definite',
  case when d.first_request = d.again_request then cast(d.first_request as varchar) else cast(d.first_request as varchar) || ',' || cast(d.again_request as varchar) end,
  d.first_request, d.rpc_id, 'two-answers'
from double_answer d join rpc_call c on c.call_id = d.call_id
union all
-- what is proven of one answer of a group needs no second finding for the rest of it
select s.session, min(s.answered_ns), max(s.answered_ns), case when s.proof = 'swapped' then 'high' else 'low' end,
  case when s.proof = 'swapped' then 'definite' else 'possible' end,
  string_agg(cast(s.answered_request as varchar), ',' order by s.answered_ns, s.answered_request), min(s.answered_request), s.rpc_id, s.proof
from swapped_answer s
where s.proof = 'swapped' or (s.proof = 'ambiguous' and not exists (
  select 1 from swapped_answer o where o.scope = s.scope and o.rpc_id = s.rpc_id and o.island = s.island and o.proof = 'swapped'))
group by s.scope, s.session, s.rpc_id, s.island, s.proof
