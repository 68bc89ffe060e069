-- What a person would say about each hypothesis.
with counted as (
  select h.*, t.spoken, t.survived_s, t.fatal_s,
    case h.unit when 'resume' then 'resumes' else 'sessions' end as what,
    cast(h.failed_inside as varchar) || ' of ' || cast(h.failed_inside + h.kept_inside as varchar) as inside,
    cast(h.failed_outside as varchar) || ' of ' || cast(h.failed_outside + h.kept_outside as varchar) as outside
  from load_hypothesis h
  left join load_threshold t on t.hypothesis_id = h.hypothesis_id
)
select hypothesis_id,
  case cause
    when 'rolling-deploy' then backends_gone || ' went and ' || backends_new || ' came: ' || inside || ' ' || what
      || ' that the change touched were lost, against ' || outside || ' others.'
    when 'scale-in' then backends_gone || ' went and nothing came instead: ' || inside || ' ' || what
      || ' whose owner went were lost, against ' || outside || ' others.'
    when 'scale-out' then backends_new || ' came: ' || inside || ' ' || what || ' that were sent there were lost, against ' || outside || ' others.'
    when 'affinity-loss' then case when metric = 'revival'
      then inside || ' refused sessions were known again later: their owner was alive, the request had gone elsewhere.'
      else inside || ' ' || what || ' were unknown where they were sent although their owner was alive, against ' || outside || ' at the owner itself.' end
    when 'idle-eviction' then inside || ' sessions that paused for ' || cast(cast(floor(fatal_s) as bigint) as varchar)
      || ' s or more were lost, against ' || outside || ' with shorter pauses'
      || case when spoken is null then '.' else ': an idle limit of ' || spoken || '.' end
    when 'lifetime' then inside || ' sessions that were still used at an age of ' || cast(cast(floor(fatal_s) as bigint) as varchar)
      || ' s were lost, against ' || outside || ' younger ones, however long they had paused'
      || case when spoken is null then '.' else ': a lifetime of ' || spoken || '.' end
    when 'dead-owner' then inside || ' ' || what || ' that waited between ' || cast(cast(floor(low_ns / 1e9) as bigint) as varchar) || ' and '
      || cast(cast(ceil(high_ns / 1e9) as bigint) as varchar) || ' s were lost, against ' || outside
      || ' others: the instance that was asked did not answer, and a time-out ended the wait.'
    when 'overload' then cast(failed_inside as varchar) || ' of ' || cast(failed_inside + failed_outside as varchar) || ' losses fell into moments with '
      || case metric when 'request-rate' then 'at least ' || cast(round(load, 1) as varchar) || ' requests a second'
        else 'at least ' || cast(round(load, 1) as varchar) || ' requests at once' end
      || ', which hold ' || cast(cast(round(share * 100) as bigint) as varchar) || ' % of the traffic.'
    else cast(failed_inside as varchar) || ' of ' || cast(failed_inside + failed_outside as varchar) || ' losses fell between '
      || cast(cast(low_ns / 3600000000000 as bigint) as varchar) || ':00 and ' || cast(cast(high_ns / 3600000000000 as bigint) as varchar) || ':00 UTC, on '
      || cast(hits as varchar) || ' days; that hour holds ' || cast(cast(round(share * 100) as bigint) as varchar) || ' % of the traffic.'
  end as sentence
from counted
