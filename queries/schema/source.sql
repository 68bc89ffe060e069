-- One input file, one member of an archive, or one object of an export.
create table source (
  source_id   integer primary key,
  path        varchar not null,   -- as given on the command line; archive members as archive.zip!member
  format      varchar not null,   -- har, access-log/nginx, otlp/json, …; unknown when nothing recognised it
  producer    varchar,            -- who wrote it, as far as the file says
  vantage     varchar not null,   -- client, proxy, server, unknown; mixed when its records differ
  sha256      varchar not null,   -- of the bytes as they lie on disk: the same bytes twice are one source
  bytes       bigint  not null,
  records     bigint  not null,   -- what the source holds: read, skipped and rejected
  skipped     bigint  not null,   -- well-formed but not ours
  rejected    bigint  not null,   -- could not be read; the first ones are in reject
  duplicates  bigint  not null,   -- the same record again
  evidence    varchar not null,   -- comma-separated: request-headers, response-headers, status, …
  warnings    varchar not null    -- one a line
);
