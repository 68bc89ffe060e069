import type { SlotName } from './slot.js';

/**
 * Names under which people log the same thing, as data. Names are compared in lower case with `-`, `.`, `>` and spaces as `_`.
 * What is missing here is mapped by the user: `--map session=$.headers.sid`.
 */
const COMMON: Readonly<Partial<Record<SlotName, string>>> = {
  session:
    'sid mcp_session mcp_session_id mcp_sid http_mcp_session_id request_mcp_session_id req_mcp_session_id mcp_session_in',
  plainSession: 'session session_id sessionid session_in request_session request_session_id req_session',
  plainResponseSession: 'response_session response_session_id resp_session session_out',
  responseSession:
    'rsid mcp_session_out sent_http_mcp_session_id response_mcp_session_id resp_mcp_session_id res_mcp_session_id mcp_response_session_id',
  upstreamSession: 'usid upstream_http_mcp_session_id upstream_session upstream_mcp_session_id',
  lastEventId: 'leid last_event_id lasteventid last_event http_last_event_id request_last_event_id req_last_event_id',
  protocolVersion:
    'pv protocol_version mcp_version mcp_protocol_version http_mcp_protocol_version request_mcp_protocol_version req_mcp_protocol_version',
  rpcMethod: 'mm mcp_method http_mcp_method request_mcp_method req_mcp_method rpc_method',
  rpcName: 'mn mcp_name http_mcp_name request_mcp_name req_mcp_name',
  method: 'method request_method http_method verb req_method requestmethod http_request_method',
  uri: 'uri request_uri url path request_path http_path url_path req_uri req_path request_url full_path x_envoy_origin_path http_url',
  query: 'query_string args request_query querystring',
  scheme: 'scheme',
  host: 'host http_host server_name authority request_host vhost domain',
  request: 'request req request_line http_request',
  status:
    'status status_code st code response_code response_status http_status statuscode http_status_code resp_status sc_status',
  requestBytes: 'request_length bytes_received request_size bytes_in req_bytes bytes_recv received_bytes',
  responseBytes:
    'bytes body_bytes_sent bytes_sent response_size response_length bytes_out resp_bytes size response_bytes sent_bytes',
  requestType: 'content_type http_content_type request_content_type req_content_type',
  responseType: 'ct sent_http_content_type response_content_type resp_content_type upstream_http_content_type',
  accept: 'http_accept request_accept req_accept',
  client:
    'remote_addr client client_ip clientip remote_ip ip remote client_addr client_address remote_address realip_remote_addr peer downstream_remote_address source_ip src',
  forwardedFor: 'x_forwarded_for xff http_x_forwarded_for forwarded_for',
  user: 'remote_user',
  authorization: 'authorization http_authorization request_authorization',
  connection: 'cid connection conn connection_id',
  userAgent: 'user_agent http_user_agent useragent agent request_user_agent req_user_agent',
  timeStart:
    'start_time start started started_at starttime start_utc startutc request_start time_start accept accept_date',
  timeEnd: 'msec time_msec end_time ended ended_at end timestamp_ms epoch epoch_ms',
  timeEndCoarse: 'time ts timestamp time_iso8601 time_local date datetime _timestamp @timestamp',
  durationS: 'rt request_time duration_s duration_seconds request_time_s elapsed_s',
  durationMs:
    'duration_ms request_time_ms latency_ms elapsed_ms response_time_ms took_ms durationms total_time_ms duration_millis',
  durationUs: 'duration_us latency_us request_time_us',
  durationNs: 'duration_ns latency_ns',
  durationText: 'duration latency elapsed response_time took',
  upstream: 'upstream upstream_addr upstream_address upstream_host upstreams',
  upstreamStatus: 'us upstream_status',
  backend:
    'backend be upstream_pod upstream_instance backend_addr backend_address service_addr serviceaddr balancer_worker backend_instance',
  completion: 'rc completion request_completion',
  requestId:
    'rid request_id x_request_id http_x_request_id req_id requestid request_x_request_id trace_request_id correlation_id',
  traceparent: 'tp traceparent http_traceparent request_traceparent req_traceparent',
  traceId: 'trace_id traceid',
  spanId: 'span_id spanid',
};

/** HAProxy's own names in a JSON `log-format`. */
const HAPROXY: Readonly<Partial<Record<SlotName, string>>> = {
  timeStart: 'accept tr t accept_date date ts time timestamp start',
  backendPool: 'be backend backend_name b',
  backendServer: 'srv server server_name s',
  termination: 'tsc termination_state ts_state termination',
  status: 'st status status_code',
  durationMs: 'ta tt total_time time_total time_active ttotal',
  request: 'req request http_request r request_line',
  responseBytes: 'bytes b_read bytes_read',
  client: 'ci client client_ip src',
  session: 'sid session mcp_session mcp_session_id',
};

/** Envoy command operators as people name them; times of Envoy are milliseconds. */
const ENVOY: Readonly<Partial<Record<SlotName, string>>> = {
  flags: 'response_flags flags response_flags_long',
  details: 'response_code_details details',
  upstreamCluster: 'upstream_cluster cluster upstream_cluster_raw',
  attempts: 'upstream_request_attempt_count attempt_count attempts request_attempt_count',
  localAddress: 'downstream_local_address',
  durationMs: 'duration duration_ms total_duration',
  timeStart: 'start_time timestamp time @timestamp',
  backend: 'upstream_host upstream',
  client: 'downstream_remote_address downstream_direct_remote_address',
};

const TRAEFIK: Readonly<Partial<Record<SlotName, string>>> = {
  timeStart: 'startutc startlocal',
  timeEndCoarse: 'time',
  durationNs: 'duration',
  backend: 'serviceaddr serviceurl backendaddr backendurl',
  client: 'clienthost',
  host: 'requesthost',
  method: 'requestmethod',
  uri: 'requestpath',
  status: 'downstreamstatus',
  upstreamStatus: 'originstatus',
  retries: 'retryattempts',
  responseBytes: 'downstreamcontentsize',
  requestBytes: 'requestcontentsize',
  user: 'clientusername',
  session: 'request_mcp_session_id',
  responseSession: 'downstream_mcp_session_id',
  upstreamSession: 'origin_mcp_session_id',
  lastEventId: 'request_last_event_id',
  protocolVersion: 'request_mcp_protocol_version',
  rpcMethod: 'request_mcp_method',
  rpcName: 'request_mcp_name',
  userAgent: 'request_user_agent',
  authorization: 'request_authorization',
  accept: 'request_accept',
  requestType: 'request_content_type',
  responseType: 'downstream_content_type',
  requestId: 'request_x_request_id',
  traceparent: 'request_traceparent',
  traceId: 'traceid',
  spanId: 'spanid',
};

export type AliasFamily = 'common' | 'haproxy' | 'envoy' | 'traefik';

const FAMILIES: Readonly<Record<AliasFamily, ReadonlyMap<string, SlotName>>> = {
  common: table(COMMON),
  haproxy: new Map([...without(table(COMMON), ['timeEnd', 'timeEndCoarse', 'durationText']), ...table(HAPROXY)]),
  envoy: new Map([...without(table(COMMON), ['durationText']), ...table(ENVOY)]),
  traefik: table(TRAEFIK),
};

/** `Mcp-Session-Id` and `request>headers>mcp.session id` in the spelling of the tables. */
export function normalName(name: string): string {
  return name.toLowerCase().replace(/[-.> ]/g, '_');
}

const MAX_REMEMBERED = 4096;
const remembered: Readonly<Record<AliasFamily, Map<string, SlotName | null>>> = {
  common: new Map(),
  haproxy: new Map(),
  envoy: new Map(),
  traefik: new Map(),
};

/** What a key means in logs of this family; null: nothing that is known. */
export function slotOfKey(family: AliasFamily, key: string): SlotName | null {
  const memory = remembered[family];
  const known = memory.get(key);
  if (known !== undefined) return known;
  const slot = FAMILIES[family].get(normalName(key)) ?? null;
  if (memory.size >= MAX_REMEMBERED) memory.clear();
  memory.set(key, slot);
  return slot;
}

function table(names: Readonly<Partial<Record<SlotName, string>>>): Map<string, SlotName> {
  const map = new Map<string, SlotName>();
  for (const [slot, list] of Object.entries(names)) {
    for (const name of list.split(' ')) if (!map.has(name)) map.set(name, slot as SlotName);
  }
  return map;
}

function without(map: Map<string, SlotName>, slots: readonly SlotName[]): Map<string, SlotName> {
  return new Map([...map].filter(([, slot]) => !slots.includes(slot)));
}
