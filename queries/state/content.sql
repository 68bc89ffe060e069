-- What a source consists of: recognises it under another name, and says where reading goes on.
create table content (
  source_id    integer not null,
  read_bytes   bigint  not null,  -- unpacked; of a log: the end of its last whole line
  read_lines   bigint  not null,
  sha256       varchar not null,  -- of these bytes
  head_sha256  varchar not null,  -- of the first 64 of them
  start_sha256 varchar not null,  -- of the first 1024
  by_line      boolean not null,  -- one record a line: what is appended can be read by itself
  places       bigint  not null,  -- exchanges and companions so far
  oldest_ns    bigint,
  newest_ns    bigint,            -- times later than the file itself are not believed
  intake       bigint  not null   -- of the job when it was last read
);
