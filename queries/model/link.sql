-- Which views show one exchange. `call_group` joins the hops of one call as well; `request_id` only what can be one HTTP exchange:
-- a gateway's own exchange with its backend has another session id and stays an exchange of its own.
with ranked as (
  select c.exchange_id, coalesce(v.label, c.exchange_id) as label, c.label as call_group,
    coalesce(nullif(e.request_session, ''), nullif(e.response_session, '')) as own_session,
    -- the view that shows most speaks for all: events and bodies first, then the one nearest to the client
    case when e.saw_events then 0 else 100 end + case when e.saw_response_body then 0 else 10 end
      + case e.vantage when 'client' then 0 when 'proxy' then 1 when 'server' then 2 else 3 end as place
  from link_call c
  join exchange e on e.exchange_id = c.exchange_id
  left join link_view v on v.exchange_id = c.exchange_id
),
chief as (
  select label, own_session from (
    select label, own_session, row_number() over (partition by label order by case when own_session is null then 1 else 0 end, place, exchange_id) as nth
    from ranked) x
  where nth = 1
),
grouped as (
  select r.exchange_id, r.label, r.call_group, r.place, coalesce(r.own_session, c.own_session, '') as session
  from ranked r join chief c on c.label = r.label
)
select exchange_id, call_group,
  first_value(exchange_id) over (partition by label, session order by place, exchange_id) as request_id,
  row_number() over (partition by label, session order by place, exchange_id) as view,
  count(*) over (partition by label, session) as views
from grouped
