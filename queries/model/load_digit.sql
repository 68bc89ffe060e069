-- 0 to 4095: how many terms of a tail are added up. Beyond that a term is below the last digit of the first.
with d as (select n from (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15)) as v(n))
select a.n * 256 + b.n * 16 + c.n as k
from d a
cross join d b
cross join d c
