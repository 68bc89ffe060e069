-- Which hop a view's endpoint belongs to. A proxy's '/mcp' is the client's 'https://host/mcp' once exchanges of both were linked under one session.
with told as (
  select e.vantage, e.endpoint, p.vantage || ' ' || p.endpoint as hop, count(*) as times
  from link l
  join exchange e on e.exchange_id = l.exchange_id
  join exchange p on p.exchange_id = l.request_id
  where l.view > 1 and (e.vantage <> p.vantage or e.endpoint <> p.endpoint)
  group by e.vantage, e.endpoint, p.vantage || ' ' || p.endpoint
)
select vantage, endpoint, hop
from (select vantage, endpoint, hop, row_number() over (partition by vantage, endpoint order by times desc, hop) as nth from told) x
where nth = 1
