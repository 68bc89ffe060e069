-- ---
-- id: load-correlated-failure
-- title: Sessions were lost for a common cause
-- explanation: "{cause}: {sentence}"
-- severity: high
-- needs: [request-headers, status]
-- key: [cause, failure_request]
-- remedy: Deployment - keep session state outside the instance or drain it before it goes, and route by Mcp-Session-Id. Server - keep idle and lifetime limits longer than the pauses of clients. Client - start anew on 404.
-- false-positives: [A restart of all instances at once while every client paused looks like an idle limit, A log that lost one instance's lines looks like that instance went away]
-- references: [https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management, https://doi.org/10.2307/2340521]
-- era: sessions
-- ---
with numbered as (
  select m.hypothesis_id, m.request_id, m.at_ns, row_number() over (partition by m.hypothesis_id order by m.at_ns, m.request_id) as nth
  from load_member m
  join load_claim c on c.hypothesis_id = m.hypothesis_id
),
evidence as (
  select hypothesis_id, min(case nth when 1 then request_id end) as failure_request,
    string_agg(cast(request_id as varchar), ',' order by nth) as exchanges
  from numbered
  where nth <= 50
  group by hypothesis_id
),
moment as (
  select h.hypothesis_id, max(r.last_ok_ns) < min(r.failed_ns) as one_moment
  from load_hypothesis h
  join load_remaining r on r.hop = h.hop and r.failed = 1 and case h.metric when 'idle' then r.fatal_idle_ns else r.fatal_uncalled_ns end >= h.high_ns
  where h.cause = 'idle-eviction'
  group by h.hypothesis_id
)
select cast(null as varchar) as session, c.from_ns as at_ns, c.until_ns,
  case when h.cause in ('rolling-deploy', 'affinity-loss', 'dead-owner', 'overload') then 'high' else 'medium' end as severity,
  case when h.metric = 'revival' or o.one_moment then 'possible' else 'probable' end as confidence,
  e.exchanges,
  h.cause, h.unit, h.failed_inside, h.kept_inside, h.failed_outside, h.kept_outside,
  round(c.odds_ratio, 1) as effect,
  round(c.p_value * power(10, 2 - floor(log10(c.p_value + 1e-300)))) / power(10, 2 - floor(log10(c.p_value + 1e-300))) as p_value,
  t.threshold_s, t.constant_s, round(t.survived_s, 1) as longest_survived_s, round(t.fatal_s, 1) as shortest_fatal_s,
  h.backends_gone, h.backends_new,
  case h.cause when 'dead-owner' then round(h.low_ns / 1e9, 1) end as waited_s,
  case h.cause when 'periodic' then floor(h.low_ns / 3.6e12) end as hour_utc,
  case h.cause when 'overload' then h.metric end as load_metric,
  case h.cause when 'overload' then round(h.load, 2) end as load_threshold,
  e.failure_request, x.sentence
from load_claim c
join load_hypothesis h on h.hypothesis_id = c.hypothesis_id
join load_sentence x on x.hypothesis_id = c.hypothesis_id
join evidence e on e.hypothesis_id = c.hypothesis_id
left join load_threshold t on t.hypothesis_id = c.hypothesis_id
left join moment o on o.hypothesis_id = c.hypothesis_id
