-- Lost lives with the lineage they belong to and when: findings of one lineage belong to one incident, and so do losses of one cause.
select e.session, l.lineage, e.lost_ns, e.backend
from epoch e join lineage l on l.epoch_id = e.epoch_id
order by e.epoch_id
