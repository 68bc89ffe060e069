-- A message about an incident to one receiver. Written together with the incident, marked once the receiver has it.
create table notice (
  notice    varchar not null,  -- idempotency key
  receiver  varchar not null,
  incident  varchar not null,
  sent      boolean not null
);
