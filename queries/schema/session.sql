-- Session ids are live credentials: every table holds tags, never the id. Up to 12 characters an id is its own tag;
-- longer ones are their first 8 characters, '…#' and 16 hex digits of their SHA-256 (printed with 4 of them).
create table session (
  session       varchar primary key,
  length        integer not null,  -- characters
  visible_ascii boolean not null,  -- 0x21 to 0x7e, as the specification demands
  number        bigint,            -- trailing number of an id that is otherwise constant: sequential ids
  stem          varchar            -- digest of what precedes that number
);
