-- Every exchange as it was read, in the order of reading: the views of one exchange stay apart here.
with dispatched as (
  select exchange_id, string_agg(cast(data_bytes as varchar), ',' order by ordinal) as event_data_bytes
  from event
  where complete
  group by exchange_id
)
select
  e.exchange_id, e.started_ns, e.ended_ns,
  e.http_method, e.path, e.status, e.request_session, e.response_session, e.last_event_id, e.protocol_version, e.era,
  x.end_state, x.end_reason, e.backends, e.client, e.user_agent, e.trace_id, e.span_id, e.rpc_method, e.rpc_id, e.tool,
  case when e.saw_events then e.event_count end as events, d.event_data_bytes, e.first_event_id, e.last_cursor,
  case when e.saw_response_body then e.message_count end as messages,
  e.vantage, e.endpoint, s.path as source, e.locator
from exchange e
join source s on s.source_id = e.source_id
join exchange_end x on x.exchange_id = e.exchange_id
left join dispatched d on d.exchange_id = e.exchange_id
order by e.exchange_id
