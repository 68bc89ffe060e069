import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const RECORDINGS = ['access log', 'proxy logs', 'HAR', 'OTLP/JSON', 'OTLP/protobuf', 'all'] as const;
export type RecordingName = (typeof RECORDINGS)[number];

export interface Recording {
  readonly name: RecordingName;
  readonly paths: readonly string[];
}

/** What a run has left behind, each kind alone and all of them together (traces once: both files hold the same). */
export function recordingsOf(folder: string): readonly Recording[] {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const ending = (end: string) => files.filter((path) => path.endsWith(end));
  const errorLog = ending('nginx-error.log');
  const logs = [...ending('nginx-access.jsonl'), ...ending('haproxy.log'), ...errorLog];
  const json = ending('.jsonl').filter((path) => /\/traces-[^/]*$/.test(path));
  const found: Recording[] = [
    { name: 'access log', paths: logs.slice(0, 1) },
    { name: 'proxy logs', paths: logs },
    { name: 'HAR', paths: ending('.har') },
    { name: 'OTLP/JSON', paths: json },
    { name: 'OTLP/protobuf', paths: ending('.pb') },
    { name: 'all', paths: [...logs, ...ending('.har'), ...json] },
  ];
  return found.filter(({ name }) => name !== 'proxy logs' || errorLog.length > 0);
}

export function bytesOf({ paths }: Recording): Buffer {
  return Buffer.concat(paths.map((path) => readFileSync(path)));
}
