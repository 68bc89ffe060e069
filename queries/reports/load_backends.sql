-- From when to when each instance was seen to serve.
select backend, min(at_ns) as from_ns, max(finished_ns) as to_ns, count(*) as requests
from request
where backend is not null and at_ns is not null
group by backend
order by from_ns, backend
