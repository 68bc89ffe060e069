-- One HTTP request with its response as one source saw it. NULL is not observed, '' is observed empty.
create table exchange (
  exchange_id        bigint primary key, -- source_id * 2^32 + place in the source: the order of reading
  source_id          integer not null,
  locator            varchar not null,   -- entry 12, line 4711, span 00f067aa0ba902b7
  vantage            varchar not null,   -- client, proxy, server, unknown
  endpoint           varchar not null,   -- with vantage: the hop. Session ids are compared within a hop only
  started_ns         bigint,             -- NULL: the time could not be kept
  ended_ns           bigint,             -- NULL: unfinished, or the source does not say
  precision_ns       bigint not null,    -- resolution of both
  http_method        varchar,
  path               varchar,            -- with query; values of secret-looking parameters replaced
  status             integer,            -- NULL: no answer was seen
  request_session    varchar,            -- Mcp-Session-Id of the request, as a tag (see session)
  response_session   varchar,
  last_event_id      varchar,            -- Last-Event-ID of the request
  cursor_family      varchar,            -- last_event_id taken apart, as in event
  cursor_stream      varchar,
  cursor_seq         bigint,
  cursor_session     varchar,
  resume_fingerprint varchar,            -- SHA-256 of session id, zero byte, last event id: lower-case hex
  protocol_version   varchar,
  era                varchar,            -- sessions, stateless; NULL: nothing says so
  request_type       varchar,            -- media type without parameters
  response_type      varchar,
  end_state          varchar not null,   -- complete truncated client-aborted timed-out polling open unknown
  end_reason         varchar,            -- the source's own words
  backend            varchar,            -- the instance that served
  backends           varchar,            -- every instance tried, in order, joined by ', '
  backend_statuses   varchar,            -- their statuses, aligned, '-' where unknown
  tries              integer not null,   -- number of instances tried; 0: not observed
  client             varchar,            -- address
  connection         varchar,
  user_agent         varchar,
  principal          varchar,            -- digest of the credential
  trace_id           varchar,
  span_id            varchar,
  parent_span_id     varchar,
  request_id         varchar,            -- x-request-id or the like: joins two logs of one request
  rpc_method         varchar,            -- of the first JSON-RPC request or notification of the client
  rpc_id             varchar,            -- typed: 1 is not "1"
  tool               varchar,
  first_event_id     varchar,            -- of the first dispatched event that has an id
  last_cursor        varchar,            -- the last event id a conforming client holds afterwards
  event_count        integer not null,   -- dispatched events
  message_count      integer not null,   -- JSON-RPC messages in the response
  request_bytes      bigint,
  response_bytes     bigint,
  saw_request_headers  boolean not null, -- an absent header and a header that was not logged are two things
  saw_response_headers boolean not null,
  saw_request_body     boolean not null,
  saw_response_body    boolean not null,
  saw_events           boolean not null, -- events, or their absence, were recorded
  loss_in_body         boolean not null, -- the body says that the session is unknown, expired or not initialised
  stream_held          boolean not null, -- the refusal says that the old stream is still connected
  server_info          varchar,          -- serverInfo of an initialize result, 'name version'
  client_info          varchar,
  incomplete           boolean not null  -- attributes were dropped or spans sampled before export
);
