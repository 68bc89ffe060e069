-- ---
-- id: stream-cutoff
-- title: Streams end at the same age
-- explanation: "{streams} streams of {endpoint} ended at an age of {age_s} s: a time-out on the way ({constant})."
-- severity: info
-- era: sessions
-- needs: [request-headers]
-- key: [endpoint, age_s]
-- remedy: Deployment - raise the idle or read time-out of the proxy for this route, or send keep-alive comments more often than it.
-- false-positives: ["Clients that re-open their stream on a timer"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server"]
-- ---
select min(session) as session, min(at_ns) as at_ns, max(finished_ns) as until_ns, 'info' as severity, 'probable' as confidence,
  string_agg(case when nth <= 20 then cast(request_id as varchar) end, ',' order by at_ns, request_id) as exchanges,
  hop as endpoint, age_s, count(*) as streams,
  case when age_s in (30, 60, 120, 300, 305, 600, 900, 1800, 3600, 7200, 21600, 28800) then cast(age_s as varchar) || ' s is a common default' else 'no common default' end as constant
from (select *, row_number() over (partition by hop, age_s order by at_ns, request_id) as nth from stream_age) x
group by hop, age_s
