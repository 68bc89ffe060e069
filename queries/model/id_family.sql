-- The family of event ids that an endpoint uses, decided over all its ids, and what it allows to conclude.
with counted as (
  select hop,
    count(*) as total,
    sum(case when id_family = 'rmcp' then 1 else 0 end) as rmcp,
    sum(case when id_family = 'go' then 1 else 0 end) as go,
    sum(case when id_family = 'snowflake' then 1 else 0 end) as snowflake,
    sum(case when id_family = 'counter' and id_stream = '' then 1 else 0 end) as plain,
    sum(case when id_family = 'counter' and id_stream like '%\_' escape '\' then 1 else 0 end) as named
  from delivery where event_id is not null
  group by hop
),
shape as (
  select hop, id_family, count(*) as times from delivery where event_id is not null group by hop, id_family
),
-- nine in ten is too strict for small captures: stray ids such as `prime` or `end` are common
prevailing as (
  select s.hop, s.id_family from shape s join counted c on c.hop = s.hop where s.times >= 0.8 * c.total
),
-- Counters are contiguous only if observed so: within an exchange each id follows the one before.
step as (
  select hop, id_seq - lag(id_seq) over (partition by request_id, id_stream order by ordinal) as step
  from delivery
  where id_seq is not null and id_family in ('counter', 'csharp')
),
stepped as (
  select hop, sum(case when step = 1 then 1 else 0 end) as single, sum(case when step <> 1 then 1 else 0 end) as odd
  from step where step is not null group by hop
),
decided as (
  select c.hop,
    case
      when c.rmcp > 0 and c.rmcp + c.plain >= 0.8 * c.total then 'rmcp'
      when c.go > 0 and c.go + c.named >= 0.8 * c.total then 'go'
      when l.id_family is not null then l.id_family
      when c.snowflake > 0 and c.snowflake + c.plain >= 0.8 * c.total then 'counter'
      else 'opaque'
    end as family
  from counted c left join prevailing l on l.hop = c.hop
)
select d.hop, d.family,
  d.family in ('go', 'rmcp') or (d.family in ('counter', 'csharp') and coalesce(s.single >= 5 and s.odd = 0, false)) as contiguous,
  d.family in ('go', 'rmcp', 'csharp', 'typescript', 'java') as names_stream,
  d.family in ('go', 'rmcp', 'counter') as repeats
from decided d
left join stepped s on s.hop = d.hop
