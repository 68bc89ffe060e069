import { parseJson } from '../../mcp/json.js';
import { isObject, type JsonObject, ownAt, stringAt } from '../../mcp/json-object.js';
import { typedId } from '../../mcp/typed-id.js';
import { emptyCapturedHttp } from '../captured-http.js';
import { dissect } from '../dissect.js';
import { forEachLine, lineBlocks } from '../input/lines.js';
import { firstLines } from '../input/sniff.js';
import type { FormatReader, ReaderInput, ReaderOptions, ReadSummary, RecordSink } from '../reader.js';
import type { Vantage } from '../record.js';
import { writtenTime } from '../written-time.js';
import { SYNTHETIC_WARNING } from './synthetic.js';

/** The frames that mcpsnoop records, one JSON object a line. */
export const mcpsnoopFramesReader: FormatReader = { format: 'mcpsnoop', recognise, read };

function recognise(head: Uint8Array): number {
  const line =
    firstLines(head, 20)
      .find((candidate) => candidate.trim() !== '')
      ?.trim() ?? '';
  if (!line.startsWith('{')) return 0;
  const has = (name: string) => new RegExp(`"${name}"\\s*:`).test(line);
  return has('seq') && has('direction') && has('raw') && (has('transport') || has('session_id')) ? 0.95 : 0;
}

/** A message of the client, and the answer once it has come. */
interface Call {
  readonly locator: string;
  readonly capture: string;
  readonly request: JsonObject;
  readonly startedNs: bigint | null;
  readonly precisionNs: bigint;
  readonly connection: string | null;
  answer: unknown;
  endedNs: bigint | null;
}

/** Calls are handed on in this many at a time; an answer that comes later than that finds its call gone. */
const MAX_WAITING = 50_000;

async function read(input: ReaderInput, sink: RecordSink, options: ReaderOptions): Promise<ReadSummary> {
  const vantage = options.vantage ?? 'proxy';
  let calls: Call[] = [];
  let open = new Map<string, Call>();
  let records = 0;
  const flush = () => {
    for (const call of calls) sink.capture(dissect(captured(call, vantage), options));
    calls = [];
    open = new Map();
  };
  const takeLine = (text: string, line: number) => {
    if (text.trim() === '') return;
    records += 1;
    const parsed = parseJson(text);
    if (!parsed.ok || !isObject(parsed.value)) {
      sink.reject(`line ${line}`, parsed.ok ? 'not an object' : `not valid JSON (${parsed.reason})`);
      return;
    }
    const frame = parsed.value;
    const message = messageOf(ownAt(frame, 'raw'));
    if (message === null || !takeMessage(frame, message, `line ${line}`)) sink.skip(1);
    if (calls.length >= MAX_WAITING) flush();
  };
  const takeMessage = (frame: JsonObject, message: JsonObject, locator: string): boolean => {
    const time = writtenTime(ownAt(frame, 'ts'), () => 0);
    const capture = stringAt(frame, 'session_id') ?? '';
    const id = typedId(message.id);
    const key = `${capture}\n${id ?? ''}`;
    if (typeof message.method === 'string') {
      if (isFromServer(frame)) return false;
      const connection = stringAt(frame, 'conn_id') ?? (capture === '' ? null : capture);
      const call: Call = {
        locator,
        capture,
        request: message,
        startedNs: time.ns,
        precisionNs: time.precisionNs,
        connection,
        answer: null,
        endedNs: null,
      };
      calls.push(call);
      if (id !== null) open.set(key, call);
      return true;
    }
    const call = id === null ? undefined : open.get(key);
    if (call === undefined) return false;
    call.answer = message;
    call.endedNs = time.ns;
    open.delete(key);
    return true;
  };
  const tooLong = (line: { line: number }) => {
    records += 1;
    sink.reject(`line ${line.line}`, 'too long');
  };
  for await (const block of lineBlocks(input.chunks(), tooLong)) {
    forEachLine(block, (start, end, line) => takeLine(block.bytes.toString('utf8', start, end), line));
    sink.progress(block.offset + block.bytes.length);
  }
  flush();
  return {
    format: 'mcpsnoop',
    producer: 'mcpsnoop',
    vantage,
    records,
    evidence: ['bodies'],
    warnings: [SYNTHETIC_WARNING],
  };
}

function captured(call: Call, vantage: Vantage) {
  return {
    ...emptyCapturedHttp(call.locator, vantage, 'mcp://mcpsnoop/'),
    startedNs: call.startedNs,
    endedNs: call.endedNs,
    precisionNs: call.precisionNs,
    connection: call.connection,
    requestBody: JSON.stringify(call.request),
    responseBody: call.answer === null ? null : JSON.stringify(call.answer),
    endState: call.answer === null ? ('unknown' as const) : ('complete' as const),
  };
}

/** `raw` is the message as text or as JSON. */
function messageOf(raw: unknown): JsonObject | null {
  if (isObject(raw)) return raw;
  if (typeof raw !== 'string') return null;
  const parsed = parseJson(raw);
  return parsed.ok && isObject(parsed.value) ? parsed.value : null;
}

function isFromServer(frame: JsonObject): boolean {
  return /^(server|s2c|from[_-]?server|response|down)/i.test(stringAt(frame, 'direction') ?? '');
}
