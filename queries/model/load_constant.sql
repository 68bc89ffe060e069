-- Time-outs that servers and balancers are known to have, in seconds.
select seconds, spoken
from (values (30, '30 s'), (60, '60 s'), (120, '2 min'), (300, '5 min'), (305, '305 s'), (600, '10 min'), (900, '15 min'), (1800, '30 min'),
  (3600, '1 h'), (7200, '2 h'), (21600, '6 h'), (28800, '8 h')) as c(seconds, spoken)
