-- An incident with its story. `incident` stays the same while it goes on, whatever is found next.
create table kept_incident (
  incident  varchar not null,
  severity  varchar not null,
  at_ns     bigint,
  until_ns  bigint,
  state     varchar not null,  -- new, known, resolved; merged: it turned out to be part of another one; withdrawn: later records disproved it
  merged_in varchar,
  document  varchar not null
);
