import type { Evidence } from '../readers/record.js';

/** How to make a capture carry a kind of evidence: the end of "not judged, because …". */
const CAPTURE: Readonly<Record<Evidence, string>> = {
  'request-headers': 'log the request headers Mcp-Session-Id, Last-Event-ID and MCP-Protocol-Version',
  'response-headers': 'log the response header Mcp-Session-Id',
  status: 'log the status of the response',
  bodies: 'capture request and response bodies: a HAR with content, or spans with the JSON-RPC method and id',
  events: 'capture the event stream with its ids: a HAR with bodies, saved after the streams have ended',
  'event-times': 'capture when each event arrived: a HAR of Chrome with _eventSourceMessages',
  'end-state': 'log how a response ended: the error log beside the access log, or a termination state',
  backend: 'log the upstream address, or set service.instance.id on the spans',
  principal: 'capture the Authorization header; only its digest is kept',
};

/** A sentence that names what is missing and how to capture it. */
export function missingSentence(missing: readonly Evidence[]): string {
  const how = missing.map((evidence) => `${evidence} (${CAPTURE[evidence]})`);
  return `needs ${how.join('; and ')}`;
}

/** The evidence words of a source, as its table keeps them. */
export function evidenceOf(column: string): Set<string> {
  return new Set(column.split(',').filter((word) => word !== ''));
}
