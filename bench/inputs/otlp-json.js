import { spanBatches } from './spans.js';

/** OTLP/JSON, one export request a line. */
export function* otlpJsonLines(shape) {
  for (const { service, pod, batch } of spanBatches(shape)) {
    const resource = {
      attributes: [attribute(['service.name', service]), attribute(['service.instance.id', pod])],
    };
    const spans = batch.map((span) => ({
      traceId: span.traceId,
      spanId: span.spanId,
      name: span.name,
      kind: 2,
      startTimeUnixNano: String(span.startNs),
      endTimeUnixNano: String(span.endNs),
      attributes: span.attributes.map(attribute),
      status: {},
    }));
    yield `${JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'http' }, spans }] }] })}\n`;
  }
}

function attribute([key, value]) {
  return { key, value: { stringValue: value } };
}
