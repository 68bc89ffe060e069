-- ---
-- id: duplicate-tool-call
-- title: A tool ran, or may have run, twice
-- explanation: "{subject_text} {again_text} after {fault} ({mechanism}); {first_outcome}."
-- severity: high
-- needs: []
-- wants: [bodies]
-- key: [session, first_request, second_request, first_request_id]
-- remedy: Compare both executions in the system the tool acts on and undo one. Client - send an idempotency key, and ask before you repeat a call of unknown outcome. Proxy - never send a POST to a second upstream (nginx, proxy_next_upstream without non_idempotent).
-- false-positives: ["A user who asks for the same thing again right after a fault"]
-- references: ["https://modelcontextprotocol.io/specification/2025-11-25/server/tools"]
-- ---
select session, other_session, at_ns, until_ns,
  case
    when harmless then 'info'
    when first_outcome = 'completed' and second_outcome = 'completed' and destructive then 'critical'
    when first_outcome = 'completed' then 'high'
    else 'medium'
  end as severity,
  case when first_outcome = 'completed' then 'definite' else 'possible' end as confidence,
  exchanges,
  case when tool is not null then 'Tool ' || tool when mechanism = 'proxy-retry' then 'A POST of session ' || session else 'A tool call' end as subject_text,
  case when mechanism = 'proxy-retry' then 'was sent to a second instance' else 'was called again with the same arguments' end as again_text,
  tool, mechanism, fault, first_request, second_request, first_request_id, second_request_id, first_outcome, second_outcome,
  idempotency_key as same_idempotency_key, backends
from duplicate_call
