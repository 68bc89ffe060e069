-- On which responses an endpoint names the session: by HTTP method, and stream, body or bare acknowledgement.
select hop, http_method,
  case when is_stream then 'stream' when status = 202 or status = 204 then 'accepted' else 'body' end as answer,
  sum(case when response_session = request_session then 1 else 0 end) as echoed,
  sum(case when response_session is null then 1 else 0 end) as silent
from request
where is_ok and is_session_era and request_session is not null and saw_response_headers and not is_initialize
group by hop, http_method, case when is_stream then 'stream' when status = 202 or status = 204 then 'accepted' else 'body' end
