-- ---
-- id: shared-session
-- title: One session was used by two parties at once
-- explanation: "Session {session} was used in turn by {parties} different {kind}s."
-- severity: critical
-- era: sessions
-- needs: [request-headers]
-- wants: [principal]
-- key: [session]
-- remedy: Server - bind a session to the credential that opened it and answer 404 to anyone else. Client - treat the session id as a secret.
-- false-positives: ["A client that renews its credential while old requests are in flight"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management", "https://modelcontextprotocol.io/specification/2025-11-25/basic/security_best_practices"]
-- ---
-- In turn: A, B, A. A credential that is renewed, or a client that moves to another address, changes once and does not come back;
-- what was in flight while it was renewed may still arrive, but not seconds later and not again and again.
with used as (
  select m.epoch_id, m.session, m.request_id, m.at_ns, r.principal as party, 'credential' as kind
  from mention m join request r on r.request_id = m.request_id
  where m.role = 'request' and m.is_ok and r.principal is not null
  union all
  select m.epoch_id, m.session, m.request_id, m.at_ns, r.client || ' ' || r.user_agent, 'client'
  from mention m join request r on r.request_id = m.request_id
  where m.role = 'request' and m.is_ok and r.principal is null and r.client is not null and r.user_agent is not null
),
first_use as (
  select epoch_id, kind, party, min(at_ns) as first_ns from used group by epoch_id, kind, party
),
several as (
  select epoch_id, kind from first_use group by epoch_id, kind having count(*) > 1
),
ordered as (
  select u.epoch_id, u.session, u.request_id, u.at_ns, u.party, u.kind, f.first_ns,
    lag(u.party) over (partition by u.epoch_id, u.kind order by u.at_ns, u.request_id) as before_party,
    -- when the latest newcomer before this use had come
    max(case when u.at_ns = f.first_ns then u.at_ns end) over (
      partition by u.epoch_id, u.kind order by u.at_ns, u.request_id rows between unbounded preceding and 1 preceding) as newcomer_ns
  from used u
  join several s on s.epoch_id = u.epoch_id and s.kind = u.kind
  join first_use f on f.epoch_id = u.epoch_id and f.kind = u.kind and f.party = u.party
),
turned as (
  select *, case when party <> before_party and at_ns > first_ns then 1 else 0 end as comes_back,
    case when party <> before_party and at_ns > first_ns and at_ns - newcomer_ns > 2000000000 then 1 else 0 end as comes_back_late
  from ordered
),
agents as (
  select m.epoch_id, count(distinct r.user_agent) as agents
  from mention m join request r on r.request_id = m.request_id join several s on s.epoch_id = m.epoch_id
  where m.role = 'request' and m.is_ok group by m.epoch_id
)
select t.session, min(case when t.party <> t.before_party then t.at_ns end) as at_ns, max(t.at_ns) as until_ns, 'critical' as severity,
  case when t.kind = 'credential' then 'definite' else 'probable' end as confidence,
  string_agg(case when t.party <> t.before_party then cast(t.request_id as varchar) end, ',' order by t.at_ns, t.request_id) as exchanges,
  t.kind, count(distinct t.party) as parties,
  sum(t.comes_back) as returns
from turned t
join agents a on a.epoch_id = t.epoch_id
-- one program seen from two addresses is one client on the move; two programs on one id are two clients
where t.kind = 'credential' or a.agents > 1
group by t.epoch_id, t.session, t.kind
having sum(t.comes_back_late) >= 1 or sum(t.comes_back) >= 3
