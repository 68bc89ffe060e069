/** Encodings of OTLP/HTTP, as OpenTelemetry's configuration names them; the first one is the default. */
export const OTLP_PROTOCOLS = ['http/protobuf', 'http/json'] as const;
export type OtlpProtocol = (typeof OTLP_PROTOCOLS)[number];
