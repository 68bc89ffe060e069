-- A finding with its facts, for as long as findings are kept: the records behind it may be gone.
create table kept_finding (
  finding   varchar not null,
  incident  varchar,
  detector  varchar not null,
  severity  varchar not null,
  endpoint  varchar not null,
  at_ns     bigint,
  until_ns  bigint,
  document  varchar not null  -- as in the result document
);
