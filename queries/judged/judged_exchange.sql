-- Records that are judged: those in the range, those without a time, and the histories of the sessions among them.
-- A span that was delivered twice counts once, in its fuller form.
with wanted as (
  select e.exchange_id, e.trace_id, e.span_id, e.locator, e.vantage, e.ended_ns, e.event_count, e.message_count,
    o.source_id, (o.source_id << 32) + (e.exchange_id & 4294967295) as judged_id
  from exchange e
  join judged_source o on o.kept_id = e.source_id
  cross join judged_range r
  where coalesce(e.ended_ns, e.started_ns, r.from_ns) >= r.from_ns
    or e.request_session in (select session from judged_session)
    or e.response_session in (select session from judged_session)
),
ranked as (
  select exchange_id, source_id, judged_id,
    case when trace_id is null or span_id is null or locator not like 'span %' then 1
      else row_number() over (
        partition by trace_id, span_id, locator, vantage
        order by case when ended_ns is null then 1 else 0 end, ended_ns desc, event_count desc, message_count desc, judged_id)
    end as nth
  from wanted
)
select exchange_id, source_id, judged_id, nth > 1 as is_doubled
from ranked
