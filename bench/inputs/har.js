import { randomOf } from '../random.js';

const START_MS = Date.UTC(2026, 10, 18, 8);
const SCRIPT = 'function n(e,t){return e.map((e=>t[e]||null)).filter(Boolean)}var r=n(["a","b"],{a:1});\n';

/**
 * A HAR as a browser's developer tools save it: pages with their scripts and images, calls of other APIs, and one MCP
 * session that talks all the while.
 * @param {{ bytes: number, seed: number }} shape about how large the file becomes
 */
export function* har({ bytes, seed }) {
  const random = randomOf(seed);
  const session = random.uuid();
  yield '{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":[],"entries":[\n';
  let written = 0;
  for (let nth = 0; written < bytes; nth++) {
    const entry = JSON.stringify(nth % 4 === 0 ? mcpEntry(random, session, nth) : otherEntry(random, nth));
    written += entry.length + 2;
    yield `${nth === 0 ? '' : ',\n'}${entry}`;
  }
  yield '\n]}}\n';
}

function mcpEntry(random, session, nth) {
  const id = nth / 4;
  const isFirst = id === 0;
  const request = isFirst
    ? {
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', clientInfo: { name: 'inspector', version: '1' }, capabilities: {} },
      }
    : { method: 'tools/call', params: { name: 'read_file', arguments: { path: `/src/${random.hex(8)}.ts` } } };
  const result = isFirst
    ? { protocolVersion: '2025-06-18', serverInfo: { name: 'files', version: '1' }, capabilities: { tools: {} } }
    : { content: [{ type: 'text', text: SCRIPT.repeat(10 + random.below(200)) }] };
  const message = JSON.stringify({ jsonrpc: '2.0', id, result });
  const headers = isFirst ? [] : [{ name: 'Mcp-Session-Id', value: session }];
  return entryOf(nth, {
    method: 'POST',
    url: 'https://tools.example/mcp',
    requestHeaders: [...headers, { name: 'Content-Type', value: 'application/json' }],
    requestText: JSON.stringify({ jsonrpc: '2.0', id, ...request }),
    responseHeaders: isFirst ? [{ name: 'Mcp-Session-Id', value: session }] : [],
    type: 'text/event-stream',
    text: `id: e${id}\nevent: message\ndata: ${message}\n\n`,
  });
}

function otherEntry(random, nth) {
  const kind = random.below(3);
  if (kind === 0)
    return get(nth, 'https://cdn.example/app.js', 'application/javascript', SCRIPT.repeat(random.below(2500)));
  if (kind === 1) {
    const items = Array.from({ length: random.below(400) }, (_, index) => ({
      id: index,
      name: random.hex(24),
      tags: ['a', 'b'],
    }));
    return get(nth, `https://api.example/items?page=${nth}`, 'application/json', JSON.stringify({ items }));
  }
  return get(
    nth,
    `https://cdn.example/${random.hex(8)}.png`,
    'image/png',
    random.hex(16).repeat(random.below(4000)),
    'base64',
  );
}

function get(nth, url, type, text, encoding) {
  return entryOf(nth, {
    method: 'GET',
    url,
    requestHeaders: [],
    requestText: null,
    responseHeaders: [],
    type,
    text,
    encoding,
  });
}

function entryOf(nth, { method, url, requestHeaders, requestText, responseHeaders, type, text, encoding }) {
  const common = { httpVersion: 'h2', cookies: [], headersSize: -1 };
  return {
    startedDateTime: new Date(START_MS + nth * 250).toISOString(),
    time: 120.5,
    request: {
      ...common,
      method,
      url,
      headers: [{ name: 'Accept', value: '*/*' }, { name: 'User-Agent', value: 'Mozilla/5.0' }, ...requestHeaders],
      queryString: [],
      bodySize: requestText?.length ?? 0,
      ...(requestText === null ? {} : { postData: { mimeType: 'application/json', text: requestText } }),
    },
    response: {
      ...common,
      status: 200,
      statusText: 'OK',
      headers: [{ name: 'Content-Type', value: type }, ...responseHeaders],
      content: { size: text.length, mimeType: type, text, ...(encoding === undefined ? {} : { encoding }) },
      redirectURL: '',
      bodySize: text.length,
    },
    cache: {},
    timings: { send: 0.1, wait: 100, receive: 20.4 },
  };
}
