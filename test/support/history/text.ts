import type { SeenMessage, SeenTool } from './seen.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** JSON with sorted keys: equal texts are equal values. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const parts = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`);
    return `{${parts.join(',')}}`;
  }
  return JSON.stringify(value);
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function field(value: Json | undefined, ...path: string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const key of path) {
    if (at === null || at === undefined || typeof at !== 'object' || Array.isArray(at)) return undefined;
    at = at[key];
  }
  return at;
}

const text = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
const typed = (value: Json | undefined): string | null =>
  typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : null;

const LOSS = [
  /session[^.]{0,60}(not found|unknown|expired|terminated|does not exist|not initiali[sz]ed|is closed)/i,
  /(unknown|expired|invalid|no valid|no such|invalid or missing)( mcp)? session/i,
  /not initiali[sz]ed/i,
];

/** The text says that the session is unknown, not found, expired or not initialised. */
export function speaksOfLoss(body: string): boolean {
  return LOSS.some((pattern) => pattern.test(body));
}

/** The refusal says that the old stream is still there. */
export function speaksOfHeldStream(body: string): boolean {
  return /stream[^.]{0,40}already|already[^.]{0,40}stream|only one (sse )?stream|conflict/i.test(body);
}

const IDEMPOTENCY = /^(x-)?idempotency[-_]?key$/i;

function idempotencyKey(params: Json | undefined): string | null {
  for (const holder of [field(params, '_meta'), field(params, 'arguments')]) {
    if (holder === null || holder === undefined || typeof holder !== 'object' || Array.isArray(holder)) continue;
    for (const [key, value] of Object.entries(holder)) {
      if (IDEMPOTENCY.test(key)) return canonical(value);
    }
  }
  return null;
}

function kindOf(value: Json): SeenMessage['kind'] {
  if (text(field(value, 'method')) !== null) return field(value, 'id') === undefined ? 'notification' : 'request';
  if (field(value, 'error') !== undefined) return 'error';
  if (field(value, 'result') !== undefined) return 'result';
  return 'invalid';
}

function readOne(value: Json, sender: SeenMessage['sender'], event: number | null): SeenMessage {
  const params = field(value, 'params');
  const method = text(field(value, 'method'));
  const call = method === 'tools/call';
  const kind = kindOf(value);
  const structured = field(value, 'result', 'structuredContent');
  const progress = field(params, 'progress');
  return {
    sender,
    kind,
    id: typed(field(value, 'id')),
    method,
    tool: call ? text(field(params, 'name')) : null,
    arguments: call ? canonical(field(params, 'arguments') ?? {}) : null,
    progressToken: typed(
      method === 'notifications/progress' ? field(params, 'progressToken') : field(params, '_meta', 'progressToken'),
    ),
    progress: method === 'notifications/progress' && typeof progress === 'number' ? progress : null,
    cancels: method === 'notifications/cancelled' ? typed(field(params, 'requestId')) : null,
    isError: field(value, 'result', 'isError') === true,
    readsAsLoss: (kind === 'error' || kind === 'invalid') && speaksOfLoss(canonical(value)),
    inputRetry: field(params, 'inputResponses') !== undefined || field(params, 'requestState') !== undefined,
    idempotencyKey: call ? idempotencyKey(params) : null,
    task: field(params, 'task') !== undefined || canonical(value).includes('related-task'),
    resultKeys:
      structured !== null && typeof structured === 'object' && !Array.isArray(structured)
        ? Object.keys(structured).sort()
        : null,
    errorCode: typeof field(value, 'error', 'code') === 'number' ? (field(value, 'error', 'code') as number) : null,
    text: canonical(value),
    event,
  };
}

/** JSON-RPC messages of a body or of an event's data; text that is none gives one `invalid` message. */
export function readMessages(body: string, sender: SeenMessage['sender'], event: number | null): SeenMessage[] {
  if (body.trim() === '') return [];
  const value = parse(body);
  if (value === undefined) {
    return [{ ...readOne({}, sender, event), kind: 'invalid', text: body, readsAsLoss: speaksOfLoss(body) }];
  }
  return (Array.isArray(value) ? value : [value]).map((item) => readOne(item, sender, event));
}

/** Tools as a `tools/list` result announces them. */
export function readTools(messages: readonly SeenMessage[]): Map<string, SeenTool> {
  const tools = new Map<string, SeenTool>();
  for (const message of messages) {
    if (message.kind !== 'result') continue;
    const list = field(parse(message.text), 'result', 'tools');
    for (const tool of Array.isArray(list) ? list : []) {
      const name = text(field(tool, 'name'));
      if (name === null) continue;
      const properties = field(tool, 'outputSchema', 'properties');
      tools.set(name, {
        readOnly: field(tool, 'annotations', 'readOnlyHint') === true,
        idempotent: field(tool, 'annotations', 'idempotentHint') === true,
        destructive: field(tool, 'annotations', 'destructiveHint') === true,
        outputKeys:
          properties !== null && typeof properties === 'object' && !Array.isArray(properties)
            ? Object.keys(properties).sort()
            : null,
      });
    }
  }
  return tools;
}
