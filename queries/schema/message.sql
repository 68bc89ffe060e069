-- One JSON-RPC message of a request or response, or something in its place that is none.
create table message (
  exchange_id      bigint  not null,
  ordinal          integer not null,
  sender           varchar not null,  -- client, server
  event_ordinal    integer,           -- the event that carried it; NULL: a plain body
  kind             varchar not null,  -- request notification result error invalid
  rpc_id           varchar,           -- typed: 1 is not "1"
  rpc_method       varchar,
  tool             varchar,
  progress_token   varchar,           -- typed
  progress         double,
  arguments_digest varchar,           -- RFC 8785 canonical, without _meta
  message_digest   varchar,           -- of the whole message: equal digests are the same message
  bytes            bigint,
  error_code       integer,
  tool_error       boolean not null,  -- result.isError
  loss_signal      boolean not null,
  cancels          varchar,           -- typed id named by notifications/cancelled
  input_retry      boolean not null,  -- carries inputResponses or requestState
  input_required   boolean not null,
  idempotency_key  varchar,           -- digest
  task_id          varchar,           -- digest
  result_keys      varchar,           -- keys of structuredContent: fits one tool's output schema and not another's
  protocol_version varchar,
  trace_id         varchar,           -- from _meta.traceparent: joins the hops of one call
  at_ns            bigint,
  body             varchar            -- only with --keep-bodies
);
