import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** One span for every request that reaches the server, from its arrival to its answer (semantic conventions for MCP). */
export function traceMessages(transport: StreamableHTTPServerTransport): void {
  const spans = new Map<string | number, Span>();
  const receive = transport.onmessage;
  const send = transport.send.bind(transport);

  transport.onmessage = (message, extra) => {
    if (isRequest(message)) spans.set(message.id, startSpan(message, transport.sessionId));
    receive?.(message, extra);
  };
  transport.send = async (message, options) => {
    if (!('method' in message) && message.id !== undefined) {
      endSpan(spans.get(message.id), message);
      spans.delete(message.id);
    }
    await send(message, options);
  };
  // What is still at work when the session ends has no answer, but it did begin.
  const close = transport.onclose;
  transport.onclose = () => {
    for (const span of spans.values()) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: 'Connection closed' });
      span.end();
    }
    spans.clear();
    close?.();
  };
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

function startSpan(request: JSONRPCRequest, session: string | undefined): Span {
  const { method, params } = request;
  const isCall = method === 'tools/call';
  const attributes: Attributes = {
    'mcp.method.name': method,
    'jsonrpc.request.id': String(request.id),
    'network.transport': 'tcp',
    ...(session === undefined ? {} : { 'mcp.session.id': session }),
    ...(isCall
      ? {
          'gen_ai.tool.name': String(params?.name),
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.call.arguments': JSON.stringify(params?.arguments),
        }
      : {}),
  };
  const name = isCall ? `${method} ${String(params?.name)}` : method;
  return trace.getTracer('lab').startSpan(name, { kind: SpanKind.SERVER, attributes });
}

function endSpan(span: Span | undefined, answer: JSONRPCMessage): void {
  if ('error' in answer) {
    span?.setAttribute('rpc.response.status_code', String(answer.error.code));
    span?.setStatus({ code: SpanStatusCode.ERROR, message: answer.error.message });
  }
  span?.end();
}
