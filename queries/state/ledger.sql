-- A file on disk as it was when it was last dealt with. Same path, size and time: it is not opened again.
create table ledger (
  path     varchar not null,
  bytes    bigint  not null,
  mtime_ns bigint  not null,
  state    varchar not null,  -- read; partial: but for a last line that was not whole; foreign: no capture; failed: a capture that cannot be read
  reason   varchar            -- why it was not read
);
