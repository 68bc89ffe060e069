import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHar } from './read-har.js';
import type { InputKind, Seen } from './seen.js';
import { seenInLog, seenInSpans } from './view.js';
import type { WireHistory } from './wire.js';
import { writeHar } from './write-har.js';
import { writeAccessLog, writeErrorLog } from './write-log.js';
import { writeSpans } from './write-spans.js';

/** Writes a history as one kind of input into a new folder; returns the files' paths. */
export function writeCapture(history: WireHistory, kind: InputKind, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const put = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  if (kind === 'har') return [put('capture.har', writeHar(history))];
  if (kind === 'spans') return [put('traces.jsonl', writeSpans(history))];
  const errors = writeErrorLog(history);
  return [put('access.jsonl', writeAccessLog(history)), ...(errors === '' ? [] : [put('error.log', errors)])];
}

/** What an input of that kind shows of the history. */
export function visible(history: WireHistory, kind: InputKind): Seen[] {
  if (kind === 'har') return readHar(writeHar(history));
  return kind === 'log' ? seenInLog(history) : seenInSpans(history);
}
