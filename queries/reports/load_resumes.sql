-- Resumes by verdict over time; the caller puts them into the slices of load_requests.
select at_ns, verdict from resume order by at_ns, request_id
