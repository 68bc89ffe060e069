-- The logical stream of every exchange: the exchange that opened it. A resume belongs to the stream whose event it names.
with recursive walk as (
  select r.request_id, r.request_id as stream_id, 0 as part
  from request r
  where not exists (select 1 from stream_parent p where p.request_id = r.request_id)
    and (exists (select 1 from stream_parent p where p.parent_id = r.request_id))
  union all
  select p.request_id, w.stream_id, w.part + 1
  from walk w
  join stream_parent p on p.parent_id = w.request_id
)
select r.request_id, coalesce(w.stream_id, r.request_id) as stream_id, coalesce(w.part, 0) as part, q.via is not null as is_resume
from request r
left join walk w on w.request_id = r.request_id
left join resume_request q on q.request_id = r.request_id
