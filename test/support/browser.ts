import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where Chromium is, or null; on a CI server a missing one is a fault, elsewhere the tests that need it are skipped. */
export function findChromium(): string | null {
  const found = [process.env.CHROMIUM_PATH ?? '', ...EXECUTABLES].find((path) => path !== '' && existsSync(path));
  if (found !== undefined) return found;
  if (process.env.CI === 'true') throw new Error('Chromium is missing: install it or set CHROMIUM_PATH.');
  console.warn('Chromium is missing: the tests that open reports in a browser are skipped (set CHROMIUM_PATH).');
  return null;
}

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  });
}
