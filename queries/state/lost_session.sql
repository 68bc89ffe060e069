-- Every session that was lost, once: the count goes on when the records are gone.
create table lost_session (
  endpoint varchar not null,
  session  varchar not null,
  lost_ns  bigint  not null
);
