-- A tool as tools/list announced it. NULL hints: not said.
create table tool (
  exchange_id   bigint  not null,
  tool          varchar not null,
  read_only     boolean,
  idempotent    boolean,
  destructive   boolean,
  output_keys   varchar,
  required_keys varchar
);
