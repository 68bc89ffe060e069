-- Where the scheduled job stands. One row.
create table job (
  intake         bigint  not null,  -- goes up with every source that is read or taken out
  judged         bigint  not null,  -- intake that the findings are about
  told           bigint  not null,  -- intake that the reports are about
  rules          varchar not null,  -- digest of what else decides: detectors, parameters, suppressions
  watermark_ns   bigint,            -- time of the newest record
  unjudged_ns    bigint,            -- time of the oldest record that was read or taken out since judging
  bytes_read     bigint  not null,
  cut_ns         bigint,            -- records before have been pruned
  succeeded_s    bigint             -- by the clock: when a run last ended well
);
