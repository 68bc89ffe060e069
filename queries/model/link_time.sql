-- Two views of one exchange without a common id: same session, HTTP method and status, and each the other's nearest in time.
-- Both sides are sorted together and only neighbours are looked at, which keeps it linear in the number of exchanges.
with lined as (
  select near_vantage, far_vantage, is_near, exchange_id, who, trace_id, stamp_ns, precision_ns,
    row_number() over (partition by near_vantage, far_vantage, who order by stamp_ns, case when is_near then 0 else 1 end, exchange_id) as rn
  from link_side
),
neighbour as (
  select near_vantage, far_vantage, is_near, exchange_id, who, trace_id, stamp_ns, precision_ns,
    case when is_near
      then max(case when not is_near then rn end) over (partition by near_vantage, far_vantage, who order by rn rows between unbounded preceding and 1 preceding)
      else max(case when is_near then rn end) over (partition by near_vantage, far_vantage, who order by rn rows between unbounded preceding and 1 preceding)
    end as rn_before,
    case when is_near
      then min(case when not is_near then rn end) over (partition by near_vantage, far_vantage, who order by rn rows between 1 following and unbounded following)
      else min(case when is_near then rn end) over (partition by near_vantage, far_vantage, who order by rn rows between 1 following and unbounded following)
    end as rn_after
  from lined
),
look as (
  select near_vantage, far_vantage, is_near, exchange_id, who, trace_id, stamp_ns, precision_ns, rn_before as rn from neighbour where rn_before is not null
  union all
  select near_vantage, far_vantage, is_near, exchange_id, who, trace_id, stamp_ns, precision_ns, rn_after from neighbour where rn_after is not null
),
candidate as (
  select a.near_vantage, a.far_vantage, a.is_near, a.exchange_id, b.exchange_id as other_id,
    row_number() over (partition by a.near_vantage, a.far_vantage, a.exchange_id order by abs(a.stamp_ns - b.stamp_ns), b.rn) as nth
  from look a
  join lined b on b.near_vantage = a.near_vantage and b.far_vantage = a.far_vantage and b.who = a.who and b.rn = a.rn
  where abs(a.stamp_ns - b.stamp_ns) <= 1000000000 + a.precision_ns + b.precision_ns
    -- two traces are two exchanges
    and (a.trace_id is null or b.trace_id is null or a.trace_id = b.trace_id)
),
mutual as (
  select n.exchange_id as near_id, f.exchange_id as far_id
  from candidate n
  join candidate f
    on f.exchange_id = n.other_id and f.other_id = n.exchange_id and f.near_vantage = n.near_vantage and f.far_vantage = n.far_vantage
  where n.nth = 1 and f.nth = 1 and n.is_near and not f.is_near
)
select near_id as exchange_id, 't:' || cast(near_id as varchar) as link_key from mutual
union all
select far_id, 't:' || cast(near_id as varchar) from mutual
