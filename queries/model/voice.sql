-- Whose messages and events speak for an exchange: its own, or in a group of views the first that recorded any.
with told as (
  select l.request_id, min(l.view) as view
  from link l
  where l.exchange_id in (select exchange_id from message) or l.exchange_id in (select exchange_id from event)
  group by l.request_id
)
select e.exchange_id, e.exchange_id as request_id
from exchange e
where e.exchange_id not in (select exchange_id from link)
union all
select l.exchange_id, l.request_id
from link l
join told t on t.request_id = l.request_id and t.view = l.view
