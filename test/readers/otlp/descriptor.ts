import { createFileRegistry, type DescMessage, fromJson } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

type Field = readonly [name: string, number: number, type: string, isRepeated?: boolean];

/** Messages of the OTLP trace protocol (trace.proto, common.proto, resource.proto, trace_service.proto), by field. */
const MESSAGES: Readonly<Record<string, readonly Field[]>> = {
  Request: [['resource_spans', 1, 'ResourceSpans', true]],
  ResourceSpans: [
    ['resource', 1, 'Resource'],
    ['scope_spans', 2, 'ScopeSpans', true],
    ['schema_url', 3, 'STRING'],
  ],
  Resource: [
    ['attributes', 1, 'KeyValue', true],
    ['dropped_attributes_count', 2, 'UINT32'],
  ],
  ScopeSpans: [
    ['scope', 1, 'Scope'],
    ['spans', 2, 'Span', true],
    ['schema_url', 3, 'STRING'],
  ],
  Scope: [
    ['name', 1, 'STRING'],
    ['version', 2, 'STRING'],
    ['attributes', 3, 'KeyValue', true],
  ],
  Span: [
    ['trace_id', 1, 'BYTES'],
    ['span_id', 2, 'BYTES'],
    ['trace_state', 3, 'STRING'],
    ['parent_span_id', 4, 'BYTES'],
    ['flags', 16, 'FIXED32'],
    ['name', 5, 'STRING'],
    ['kind', 6, 'INT32'],
    ['start_time_unix_nano', 7, 'FIXED64'],
    ['end_time_unix_nano', 8, 'FIXED64'],
    ['attributes', 9, 'KeyValue', true],
    ['dropped_attributes_count', 10, 'UINT32'],
    ['events', 11, 'Event', true],
    ['dropped_events_count', 12, 'UINT32'],
    ['links', 13, 'Link', true],
    ['status', 15, 'Status'],
  ],
  Event: [
    ['time_unix_nano', 1, 'FIXED64'],
    ['name', 2, 'STRING'],
    ['attributes', 3, 'KeyValue', true],
  ],
  Link: [
    ['trace_id', 1, 'BYTES'],
    ['span_id', 2, 'BYTES'],
  ],
  Status: [
    ['message', 2, 'STRING'],
    ['code', 3, 'INT32'],
  ],
  KeyValue: [
    ['key', 1, 'STRING'],
    ['value', 2, 'AnyValue'],
  ],
  ArrayValue: [['values', 1, 'AnyValue', true]],
  KeyValueList: [['values', 1, 'KeyValue', true]],
  AnyValue: [
    ['string_value', 1, 'STRING'],
    ['bool_value', 2, 'BOOL'],
    ['int_value', 3, 'INT64'],
    ['double_value', 4, 'DOUBLE'],
    ['array_value', 5, 'ArrayValue'],
    ['kvlist_value', 6, 'KeyValueList'],
    ['bytes_value', 7, 'BYTES'],
  ],
};

function fieldOf(message: string, [name, number, type, isRepeated = false]: Field) {
  const isMessage = type in MESSAGES;
  return {
    name,
    jsonName: name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    number,
    label: isRepeated ? 'LABEL_REPEATED' : 'LABEL_OPTIONAL',
    type: `TYPE_${isMessage ? 'MESSAGE' : type}`,
    ...(isMessage ? { typeName: `.otlp.${type}` } : {}),
    ...(message === 'AnyValue' ? { oneofIndex: 0 } : {}),
  };
}

const set = fromJson(FileDescriptorSetSchema, {
  file: [
    {
      name: 'otlp.proto',
      package: 'otlp',
      syntax: 'proto3',
      messageType: Object.entries(MESSAGES).map(([name, fields]) => ({
        name,
        field: fields.map((field) => fieldOf(name, field)),
        ...(name === 'AnyValue' ? { oneofDecl: [{ name: 'value' }] } : {}),
      })),
    },
  ],
});

/** ExportTraceServiceRequest for `@bufbuild/protobuf`. */
export const REQUEST: DescMessage = createFileRegistry(set).getMessage('otlp.Request') as DescMessage;
