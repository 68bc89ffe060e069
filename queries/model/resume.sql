-- The verdict of every resume: the contract, in the order in which it is checked. `validateResume` of the library says the same.
with facts as (
  select r.request_id, r.hop, a.epoch_id, a.via, a.stream_id, r.at_ns, r.finished_ns, r.status, r.request_session as session, r.response_session,
    r.last_event_id, r.resume_fingerprint as fingerprint, r.first_event_id, r.is_loss, r.stream_held, r.unknown_method, r.saw_response_headers,
    r.saw_request_headers, r.saw_events, r.end_state, r.source_id, r.locator,
    a.first_stream, a.first_seq, a.first_session, h.on_this_stream, h.on_other_stream, h.other_epoch, h.arrived_between,
    r.cursor_stream, r.cursor_seq, r.cursor_session,
    coalesce(y.family, 'opaque') as family, coalesce(y.contiguous, false) as contiguous,
    coalesce(y.names_stream, false) as names_stream, coalesce(y.repeats, false) as repeats,
    -- does an id have the shape of its endpoint's family?
    coalesce(a.first_family = y.family or (y.family = 'rmcp' and a.first_family = 'counter' and a.first_stream = '')
      or (y.family = 'go' and a.first_family = 'counter' and a.first_stream like '%\_' escape '\')
      or (y.family = 'counter' and a.first_family = 'snowflake'), false) as first_fits,
    coalesce(r.cursor_family = y.family or (y.family = 'rmcp' and r.cursor_family = 'counter' and r.cursor_stream = '')
      or (y.family = 'go' and r.cursor_family = 'counter' and r.cursor_stream like '%\_' escape '\')
      or (y.family = 'counter' and r.cursor_family = 'snowflake'), false) as cursor_fits
  from resume_asked a
  join resume_history h on h.request_id = a.request_id
  join request r on r.request_id = a.request_id
  left join id_family y on y.hop = r.hop
),
placed as (
  select f.*,
    coalesce(first_session is not null and first_session <> session, false)
      or (names_stream and first_fits and cursor_fits
        and (first_session is distinct from cursor_session or first_stream is distinct from cursor_stream))
      or (not on_this_stream and (on_other_stream or (other_epoch is not null and not repeats))) as is_foreign,
    first_fits and cursor_fits and first_stream is not distinct from cursor_stream and first_session is not distinct from cursor_session
      and coalesce(first_seq > cursor_seq
        or (first_seq = cursor_seq and family in ('ulid', 'uuid7') and lower(first_event_id) > lower(last_event_id)), false) as is_after
  from facts f
),
-- Where the first event stands, whether or not the server names the session: what it delivered can be judged all the same.
located as (
  select p.*,
    case
      when status < 200 or status > 299 or (response_session is not null and response_session is distinct from session) or not saw_events then null
      when coalesce(first_event_id, '') = '' then 'unproven'
      when first_event_id = last_event_id then 'replayed-last'
      when is_foreign then 'foreign'
      when on_this_stream then 'replayed-earlier'
      when not is_after then 'unorderable'
      when contiguous and family in ('go', 'rmcp', 'csharp', 'counter') and first_seq - cursor_seq - 1 - arrived_between > 0 then 'gap'
      else 'resumed'
    end as placement
  from placed p
),
judged as (
  select l.*,
    case
      when status is null then 'unobserved'
      when status = 404 then case when unknown_method then 'refused' else 'session-gone' end
      when status < 200 or status > 299 then 'refused'
      when response_session is null and not saw_response_headers then 'unobserved'
      when response_session is null then 'unacknowledged'
      when session is null and not saw_request_headers then 'unobserved'
      when response_session is distinct from session then 'epoch-merge'
      when not saw_events then 'unobserved'
      else placement
    end as verdict
  from located l
)
select request_id, hop, epoch_id, session, last_event_id, fingerprint, status, response_session, first_event_id, verdict, placement, via, at_ns, finished_ns,
  stream_id, is_loss, stream_held, end_state, other_epoch, family, source_id, locator,
  case when placement = 'gap' then first_seq - cursor_seq - 1 - arrived_between end as missing
from judged
