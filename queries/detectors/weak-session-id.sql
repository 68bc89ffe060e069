-- ---
-- id: weak-session-id
-- title: Session ids that can be guessed or that break the wire format
-- explanation: "The endpoint {endpoint} issued {ids} weak session ids ({weakness}), for example {examples}."
-- severity: medium
-- era: sessions
-- needs: [response-headers]
-- params: { shortest: { type: integer, default: 16, min: 1, max: 64 } }
-- key: [endpoint, weakness]
-- remedy: Server - issue at least 128 random bits as visible ASCII, such as a UUID version 4.
-- false-positives: ["Test servers with short made-up ids"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management"]
-- ---
with issued as (
  select e.hop, s.session, s.length, s.visible_ascii, s.number, s.stem, min(e.first_ns) as first_ns, min(e.issued_request) as issued_request
  from epoch e
  join session s on s.session = e.session
  where e.issued
  group by e.hop, s.session, s.length, s.visible_ascii, s.number, s.stem
),
-- sequential: the same stem with numbers that follow each other closely, at least three of them
row_of as (
  select hop, session, stem, number - lag(number) over (partition by hop, stem order by number) as step
  from issued where number is not null
),
sequential as (
  select hop, stem from row_of where step between 1 and 10 group by hop, stem having count(*) >= 2
),
weak as (
  select i.hop, i.session, i.first_ns, i.issued_request,
    case when not i.visible_ascii then 'outside visible ASCII' when q.stem is not null then 'sequential' else 'short' end as weakness,
    row_number() over (partition by i.hop order by i.first_ns, i.session) as nth
  from issued i
  left join sequential q on q.hop = i.hop and q.stem = i.stem
  where not i.visible_ascii or i.length < $shortest or q.stem is not null
)
select min(case when nth = 1 then session end) as session, min(first_ns) as at_ns, max(first_ns) as until_ns, 'medium' as severity, 'definite' as confidence,
  string_agg(case when nth <= 10 then cast(issued_request as varchar) end, ',' order by first_ns, session) as exchanges,
  hop as endpoint, min(weakness) as weakness, count(*) as ids, string_agg(case when nth <= 10 then session end, ', ' order by first_ns, session) as examples
from weak
group by hop
