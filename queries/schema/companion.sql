-- A line of a proxy's error log: says how an exchange of the access log beside it ended.
create table companion (
  companion_id bigint primary key,
  source_id    integer not null,
  locator      varchar not null,
  at_ns        bigint  not null,
  precision_ns bigint  not null,
  http_method  varchar,
  path         varchar,
  client       varchar,
  connection   varchar,
  backend      varchar,
  end_state    varchar not null,
  reason       varchar not null
);
