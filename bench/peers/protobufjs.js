import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

// Decoding by reflection-made code: what protobufjs calls static as soon as it has compiled the type.
const { root } = protobuf.parse(`syntax = "proto3";
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message Scope { string name = 1; string version = 2; }
  message Span { bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
    int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Request { repeated ResourceSpans resource_spans = 1; }`);
const type = root.lookupType('Request');
const bytes = readFileSync(process.argv[2]);
let spans = 0;
for (let at = 0; at < bytes.length; ) {
  const length = bytes.readUInt32BE(at);
  const request = type.decode(bytes.subarray(at + 4, at + 4 + length));
  for (const resource of request.resourceSpans) for (const scope of resource.scopeSpans) spans += scope.spans.length;
  at += 4 + length;
}
console.log(spans);
