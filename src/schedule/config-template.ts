/**
 * A configuration that works once the path of the input is right. Every key is in it; those that begin a line with # have
 * the value that they have anyway, or show an example.
 */
export function configTemplate(): string {
  return TEMPLATE;
}

const TEMPLATE = `# Configuration of \`mcp-postmortem run\`. Paths are relative to this file.
# Lines like "#key: value" show the value that holds anyway, or an example; take the # away to change it.
# \`mcp-postmortem init --schema\` prints the JSON Schema, for editors that complete and check.

# What is read: files, folders with everything in them, or patterns with * ? [] {} and **.
# %Y %m %d %H stand for the time that a folder is about (exports/%Y/%m/%d/*.json.gz): older ones are not looked into.
inputs:
  - path: /var/log/nginx/mcp*.log
#    format: access-log
#    log-format: '$remote_addr [$time_iso8601] "$request" $status "$http_mcp_session_id"'
#    map: session=$.headers.sid,method=$.verb
#    vantage: proxy
#    zone: Europe/Berlin

# The database that one run leaves for the next.
#state: state/mcp-postmortem.duckdb

# How late records may come. What is at most this much older than the newest record is judged again with every run.
#lateness: 6h

# A document that was written to within this time is left for the next run.
#settle: 5s

# A broken-off file, or a last line without its end, is read as it is when nobody has gone on with it for this time.
#patience: 1h

# How long records and findings are kept. Sessions that go on are kept whole. When the database grows beyond max-size,
# records go, the oldest first. Findings stay with their facts when their records are gone.
#retention:
#  records: 14d
#  findings: 400d
#  max-size: 4GB

# What is looked for. \`mcp-postmortem detectors list\` names all detectors, \`detectors explain ID\` their parameters.
#detectors:
#  only: [epoch-merge, duplicate-tool-call]
#  skip: [weak-session-id]
#  params: { load-correlated-failure.alpha: 0.01 }
#  queries: detectors
#  time-limit: 30
#  min-severity: info

# Findings that someone has looked at and accepted: a file, or the list itself.
#suppressions:
#  - detector: weak-session-id
#    session: demo-1
#    finding: 0123456789abcdef
#    reason: Known test client
#    expires: "2027-03-31"

# An earlier result document: its findings are known.
#baseline: baseline.json

# What a run writes: latest.* and dated reports, a page for every incident, and index.html in front of them.
#outputs:
#  folder: reports
#  formats: [html, json, md]
#  keep: 30
#  prometheus: /var/lib/node_exporter/textfile/mcp_postmortem.prom
#  otlp: reports/findings.otlp.json
#  otlp-endpoint: http://localhost:4318

# Who is told of new incidents, each once. A URL that is a secret comes from the environment: url-from names the variable.
#notifications:
#  - name: on-call
#    kind: json
#    url: https://hooks.example.com/mcp
#    min-severity: high
#    tries: 4
#  - name: chat
#    kind: slack
#    url-from: SLACK_WEBHOOK_URL

# Exit with 1 for new findings from this severity on; never: only problems of the run itself count.
#fail-on: high

# A record that cannot be read makes the run end with 2.
#strict: false

# Share of memory and threads of the database.
#memory-limit: 300MB
#threads: 2
`;
