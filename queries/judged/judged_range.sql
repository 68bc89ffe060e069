-- From when on records are judged: what has not been judged yet, and as far before it as records may come late.
select least(coalesce(unjudged_ns, watermark_ns), watermark_ns) - lateness_ns as from_ns
from job, lateness
