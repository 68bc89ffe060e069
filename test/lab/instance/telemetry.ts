import { createRequire } from 'node:module';
import { join } from 'node:path';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { FileExporter } from './file-exporter.js';
import type { InstanceSettings } from './settings.js';

/** Traces the HTTP server of this process, with the headers that the recommended configuration captures. */
export function startTelemetry({ name, folder }: InstanceSettings): NodeTracerProvider {
  const exporter = new FileExporter(join(folder, `traces-${name}.jsonl`), join(folder, `traces-${name}.pb`));
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'lab', 'service.instance.id': name }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 100 })],
  });
  provider.register();
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({
        headersToSpanAttributes: {
          server: {
            requestHeaders: ['mcp-session-id', 'last-event-id', 'mcp-protocol-version'],
            responseHeaders: ['mcp-session-id', 'content-type'],
          },
        },
      }),
    ],
  });
  // The instrumentation takes hold when the module is required, not when it is imported.
  createRequire(import.meta.url)('node:http');
  return provider;
}
