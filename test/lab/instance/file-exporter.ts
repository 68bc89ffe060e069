import { appendFileSync } from 'node:fs';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

/** Writes spans as the collector's file exporter does: JSON requests line by line, protobuf ones behind their length. */
export class FileExporter implements SpanExporter {
  readonly #jsonPath: string;
  readonly #protobufPath: string;

  constructor(jsonPath: string, protobufPath: string) {
    this.#jsonPath = jsonPath;
    this.#protobufPath = protobufPath;
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    const json = JsonTraceSerializer.serializeRequest(spans);
    const protobuf = ProtobufTraceSerializer.serializeRequest(spans);
    if (json === undefined || protobuf === undefined) throw new Error('the spans could not be serialised');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(protobuf.length);
    appendFileSync(this.#jsonPath, Buffer.concat([json, Buffer.from('\n')]));
    appendFileSync(this.#protobufPath, Buffer.concat([length, protobuf]));
    done({ code: 0 });
  }

  async shutdown(): Promise<void> {}
}
