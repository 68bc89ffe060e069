import { randomOf } from '../random.js';

const SPANS_PER_BATCH = 100;
const START_NS = 1_796_000_000_000_000_000n;
const SERVICES = ['checkout', 'catalogue', 'billing', 'search', 'mail', 'gateway', 'stock', 'users', 'tools'];

/**
 * Batches of server spans as collectors export them: ten attributes each, most of them about anything but MCP.
 * @param {{ spans: number, mcpShare: number, seed: number, repeated?: boolean }} shape `repeated`: every MCP span is the
 * same call of the same session again
 */
export function* spanBatches({ spans, mcpShare, seed, repeated = false }) {
  const random = randomOf(seed);
  const only = random.uuid();
  let sessions = [];
  for (let made = 0; made < spans; made += SPANS_PER_BATCH) {
    const isMcp = random.next() < mcpShare;
    if (sessions.length === 0 || random.next() < 0.5) sessions = Array.from({ length: 20 }, () => random.uuid());
    const batch = [];
    for (let index = 0; index < Math.min(SPANS_PER_BATCH, spans - made); index++) {
      const startNs = START_NS + BigInt(made + index) * 2_000_000n;
      batch.push({
        traceId: random.hex(32),
        spanId: random.hex(16),
        name: isMcp ? 'tools/call find' : 'GET /items/{id}',
        startNs,
        endNs: startNs + BigInt(1 + random.below(40)) * 1_000_000n,
        attributes: isMcp
          ? mcpAttributes(repeated ? only : sessions[random.below(sessions.length)], repeated ? 1 : made + index)
          : httpAttributes(random),
      });
    }
    yield { service: isMcp ? 'tools' : SERVICES[random.below(8)], pod: `pod-${random.below(8)}`, batch };
  }
}

function mcpAttributes(session, nth) {
  return [
    ['mcp.method.name', 'tools/call'],
    ['gen_ai.tool.name', 'find'],
    ['jsonrpc.request.id', String(nth)],
    ['mcp.session.id', session],
    ['mcp.protocol.version', '2025-06-18'],
    ['network.transport', 'tcp'],
    ['server.address', 'tools.example'],
    ['server.port', '8080'],
    ['url.path', '/mcp'],
    ['http.response.status_code', '200'],
  ];
}

function httpAttributes(random) {
  const item = random.below(1_000_000);
  return [
    ['http.request.method', 'GET'],
    ['url.path', `/items/${item}`],
    ['url.scheme', 'https'],
    ['http.route', '/items/{id}'],
    ['http.response.status_code', '200'],
    ['server.address', 'shop.example'],
    ['client.address', `192.0.2.${random.below(256)}`],
    ['user_agent.original', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'],
    ['network.protocol.version', '1.1'],
    ['db.query.text', `SELECT * FROM items WHERE id = ${item}`],
  ];
}
