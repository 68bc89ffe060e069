-- What could not be read. Every one is counted in source.rejected; the first hundred of a source are kept here.
create table reject (
  source_id integer not null,
  locator   varchar not null,
  reason    varchar not null
);
