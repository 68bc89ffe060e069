-- One SSE event of a response. The id taken apart: what its shape says of stream, order and session.
create table event (
  exchange_id  bigint  not null,
  ordinal      integer not null,  -- position in the response, from 0
  event_id     varchar,           -- as sent; NULL: none
  cursor       varchar,           -- sticky: what a client would send as Last-Event-ID after this event
  id_family    varchar,           -- shape of event_id: go rmcp csharp typescript counter ulid uuid7 snowflake java opaque
  id_stream    varchar,           -- stream the id names, for families that name one
  id_seq       bigint,            -- order within family and stream; NULL: not orderable
  id_session   varchar,           -- session the id names (csharp), as a tag
  type         varchar not null,
  data_bytes   bigint  not null,
  data_digest  varchar,           -- NULL: the data was not kept
  at_ns        bigint,            -- arrival, when recorded
  complete     boolean not null,  -- ended by a blank line: dispatched to the client
  priming      boolean not null,  -- id with empty data
  start_byte   bigint,
  end_byte     bigint,
  retry_ms     bigint
);
