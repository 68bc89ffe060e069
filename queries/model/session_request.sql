-- Which epoch a request belongs to, and which one its response names when that is another.
select r.request_id,
  max(case when m.role = 'request' then m.epoch_id end) as epoch_id,
  max(case when m.role <> 'request' then m.epoch_id end) as response_epoch_id
from request r
join mention m on m.request_id = r.request_id
group by r.request_id
