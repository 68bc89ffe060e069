import fc from 'fast-check';

/** Requests in protobuf's own JSON mapping, of everything that decides and much that does not. */

const KEYS = [
  'mcp.method.name',
  'mcp.session.id',
  'mcp.session_id',
  'jsonrpc.request.id',
  'mcp.request.id',
  'rpc.system',
  'rpc.method',
  'gen_ai.tool.name',
  'gen_ai.tool.call.arguments',
  'http.request.method',
  'http.method',
  'url.path',
  'url.full',
  'http.target',
  'http.response.status_code',
  'http.request.header.mcp-session-id',
  'http.request.header.Mcp-Session-Id',
  'http.request.header.last_event_id',
  'http.response.header.mcp-session-id',
  'error.type',
  'session.id',
  'db.query.text',
  'client.address',
  'traceloop.entity.name',
  '__proto__',
  'constructor',
];

const TEXTS = [
  'tools/call',
  'initialize',
  'ping',
  'textDocument/hover',
  'jsonrpc',
  'mcp',
  '/mcp',
  '/rpc',
  '/v1/MCP/x',
  'https://host.test/mcp?token=1',
  'POST',
  'GET',
  'OPTIONS',
  '404',
  'timeout',
  '{"a":1}',
  's-1',
  '',
];

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'grapheme', maxLength: 12 }));

const anyValue: fc.Arbitrary<object> = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text.map((stringValue) => ({ stringValue })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ intValue: String(value) })),
    fc.integer({ min: 100, max: 599 }).map((value) => ({ intValue: String(value) })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((doubleValue) => ({ doubleValue })),
    fc.uint8Array({ maxLength: 6 }).map((bytes) => ({ bytesValue: Buffer.from(bytes).toString('base64') })),
    fc.constant({}),
    fc.array(tie('value'), { maxLength: 3 }).map((values) => ({ arrayValue: { values } })),
    fc
      .array(fc.record({ key: text, value: tie('value') }), { maxLength: 3 })
      .map((values) => ({ kvlistValue: { values } })),
  ),
})).value;

const attributes = fc.array(
  fc.record({
    key: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: text }),
    value: anyValue,
  }),
  { maxLength: 8 },
);

const id = (bytes: number) =>
  fc
    .oneof(
      { weight: 6, arbitrary: fc.uint8Array({ minLength: bytes, maxLength: bytes }) },
      { weight: 1, arbitrary: fc.constant(new Uint8Array(bytes)) },
      { weight: 1, arbitrary: fc.constant(new Uint8Array()) },
    )
    .map((value) => Buffer.from(value).toString('base64'));

const time = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.bigInt({ min: 1795075200000000000n, max: 1795075300000000000n }),
  )
  .map(String);

const NAMES = [
  'tools/call x',
  'MCP send tools/call y',
  'MCP request: tools/list',
  'mcp.tools/call',
  'POST /mcp',
  'SELECT',
  'loop.tool',
  'initialize',
];

const span = fc.record({
  traceId: id(16),
  spanId: id(8),
  parentSpanId: id(8),
  name: fc.oneof(fc.constantFrom(...NAMES), text),
  kind: fc.integer({ min: 0, max: 5 }),
  startTimeUnixNano: time,
  endTimeUnixNano: time,
  attributes,
  droppedAttributesCount: fc.integer({ min: 0, max: 1 }),
  events: fc.array(fc.record({ name: fc.constantFrom('exception', 'message'), attributes }), { maxLength: 2 }),
  status: fc.record({ code: fc.integer({ min: 0, max: 2 }), message: text }),
});

const SCOPES = ['http', 'mcp-python-sdk', 'Experimental.ModelContextProtocol', 'agentgateway', ''];

export const arbitraryRequest = fc.record({
  resourceSpans: fc.array(
    fc.record({
      resource: fc.record({ attributes }),
      scopeSpans: fc.array(
        fc.record({
          scope: fc.record({ name: fc.constantFrom(...SCOPES) }),
          spans: fc.array(span, { maxLength: 4 }),
        }),
        { maxLength: 2 },
      ),
    }),
    { maxLength: 3 },
  ),
});

export type ArbitraryRequest = typeof arbitraryRequest extends fc.Arbitrary<infer T> ? T : never;
