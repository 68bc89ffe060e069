import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.js';

export const RECORDINGS = ['access log', 'proxy logs', 'HAR', 'OTLP/JSON', 'OTLP/protobuf', 'all'] as const;
export type RecordingName = (typeof RECORDINGS)[number];

export interface Recording {
  readonly name: RecordingName;
  readonly paths: readonly string[];
}

/** What a run has left behind, each kind alone and all of them together (traces once: both files hold the same). */
export function recordingsOf({ folder, proxy }: World): readonly Recording[] {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const ending = (end: string) => files.filter((path) => path.endsWith(end));
  const logs = proxy.errorLog === null ? [proxy.accessLog] : [proxy.accessLog, proxy.errorLog];
  const json = ending('.jsonl').filter((path) => /\/traces-[^/]*$/.test(path));
  const found: Recording[] = [
    { name: 'access log', paths: [proxy.accessLog] },
    { name: 'proxy logs', paths: logs },
    { name: 'HAR', paths: ending('.har') },
    { name: 'OTLP/JSON', paths: json },
    { name: 'OTLP/protobuf', paths: ending('.pb') },
    { name: 'all', paths: [...logs, ...ending('.har'), ...json] },
  ];
  return found.filter(({ name }) => name !== 'proxy logs' || proxy.errorLog !== null);
}

export function bytesOf({ paths }: Recording): Buffer {
  return Buffer.concat(paths.map((path) => readFileSync(path)));
}
