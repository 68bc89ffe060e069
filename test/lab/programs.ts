import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../support/browser.js';

export interface Programs {
  readonly nginx: string;
  readonly haproxy: string;
  readonly chromium: string;
}

/** The real parts, or null when one is missing; on a CI server a missing one is a fault. */
export function findPrograms(): Programs | null {
  const [nginx, haproxy, chromium] = [find('nginx'), find('haproxy'), findChromium()];
  if (nginx !== null && haproxy !== null && chromium !== null) return { nginx, haproxy, chromium };
  const missing = Object.entries({ nginx, haproxy, chromium }).filter(([, path]) => path === null);
  const names = missing.map(([name]) => name).join(', ');
  if (process.env.CI === 'true') throw new Error(`The lab needs ${names}: install it.`);
  console.warn(`The lab is skipped: ${names} missing.`);
  return null;
}

function find(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
