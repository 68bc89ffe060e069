-- Which source a file (or a member of an archive) holds. The same content under two names is one source with two holdings.
create table holding (
  path       varchar not null,  -- of the file
  member     varchar not null,  -- path of the source: the file's own, or archive.zip!member
  source_id  integer not null,
  bytes      bigint  not null,  -- on disk
  sha256     varchar not null,  -- of the bytes on disk that were read
  is_whole   boolean not null   -- false: the source has gone on since, in another file
);
