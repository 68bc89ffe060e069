-- ---
-- id: shared-session
-- title: One session was used by two parties at once
-- explanation: "Session {session} was used in turn by {parties} different {kind}s."
-- severity: critical
-- era: sessions
-- needs: [request-headers, principal]
-- key: [session]
-- remedy: Server - bind a session to the credential that opened it and answer 404 to anyone else. Client - treat the session id as a secret.
-- false-positives: ["A client that renews its credential while old requests are in flight"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management", "https://modelcontextprotocol.io/specification/2025-11-25/basic/security_best_practices"]
-- ---
-- in turn: A, B, A, B. A credential that is renewed, or a client that moves to another address, changes once and does not come back
with used as (
  select m.epoch_id, m.session, m.request_id, m.at_ns, r.principal as party, 'credential' as kind
  from mention m join request r on r.request_id = m.request_id
  where m.role = 'request' and m.is_ok and r.principal is not null
  union all
  select m.epoch_id, m.session, m.request_id, m.at_ns, r.client || ' ' || r.user_agent, 'client'
  from mention m join request r on r.request_id = m.request_id
  where m.role = 'request' and m.is_ok and r.principal is null and r.client is not null and r.user_agent is not null
),
turned as (
  select epoch_id, session, request_id, at_ns, party, kind,
    lag(party) over (partition by epoch_id, kind order by at_ns, request_id) as before_party
  from used
),
agents as (
  select m.epoch_id, count(distinct r.user_agent) as agents from mention m join request r on r.request_id = m.request_id
  where m.role = 'request' and m.is_ok group by m.epoch_id
)
select t.session, min(case when t.party <> t.before_party then t.at_ns end) as at_ns, max(t.at_ns) as until_ns, 'critical' as severity,
  case when t.kind = 'credential' then 'definite' else 'probable' end as confidence,
  string_agg(case when t.party <> t.before_party then cast(t.request_id as varchar) end, ',' order by t.at_ns, t.request_id) as exchanges,
  t.kind, count(distinct t.party) as parties, sum(case when t.party <> t.before_party then 1 else 0 end) as turns
from turned t
join agents a on a.epoch_id = t.epoch_id
-- one program seen from two addresses is one client on the move; two programs on one id are two clients
where t.kind = 'credential' or a.agents > 1
group by t.epoch_id, t.session, t.kind
having sum(case when t.party <> t.before_party then 1 else 0 end) >= 3
