import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { render } from '../../src/report/render.js';
import type { ResultDocument } from '../../src/report/result-document.js';
import { renderTimelineSvg } from '../../src/report/timeline-svg.js';
import { findChromium, launchChromium } from '../support/browser.js';
import { cleanDocument, spliceDocument, spliceTimeline } from '../support/result.js';
import { hostileDocument, PAYLOADS } from '../support/result-hostile.js';
import {
  detectorPages,
  hugeDocument,
  idleEvictionDocument,
  rollingDeployDocument,
  unprovenDocument,
} from '../support/result-variants.js';

const executable = findChromium();
const DESKTOP = { width: 1200, height: 900 };
const PHONE = { width: 390, height: 844 };
const OPEN_ALL = 'for (const details of document.querySelectorAll("details")) details.open = true';

describe.skipIf(executable === null)('the report in a browser', () => {
  let browser: Browser;
  let folder: string;
  let axe: string;

  beforeAll(async () => {
    browser = await launchChromium(executable ?? '');
    folder = await mkdtemp(join(tmpdir(), 'report-'));
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });

  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  interface Opened {
    readonly page: Page;
    /** Console lines, errors and requests beyond the file itself. */
    readonly noise: readonly string[];
  }

  async function open(
    html: string,
    viewport = DESKTOP,
    colorScheme: 'light' | 'dark' = 'light',
    bypassCSP = false,
  ): Promise<Opened> {
    const path = join(folder, 'report.html');
    await writeFile(path, html);
    const url = pathToFileURL(path).href;
    const context = await browser.newContext({ viewport, colorScheme, bypassCSP });
    const page = await context.newPage();
    const noise: string[] = [];
    page.on('console', (message) => noise.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => noise.push(String(error)));
    page.on('request', (request) => {
      if (request.url() !== url && request.url() !== 'data:,') noise.push(`request ${request.url()}`);
    });
    page.on('dialog', (dialog) => noise.push(`dialog ${dialog.message()}`));
    await page.goto(url);
    return { page, noise };
  }

  async function close({ page }: Opened): Promise<void> {
    await page.context().close();
  }

  const reports: readonly (readonly [string, () => ResultDocument])[] = [
    ['the splice', spliceDocument],
    ['a rolling deploy', rollingDeployDocument],
    ['idle eviction', idleEvictionDocument],
    ['a clean run', cleanDocument],
    ['a run that could not judge', unprovenDocument],
  ];

  it.each(reports)(
    'opens %s without a console line, a request or an overflowing line, on desktop and phone',
    async (_name, make) => {
      const html = await render(make(), 'html', { pages: detectorPages() });
      for (const viewport of [DESKTOP, PHONE]) {
        const opened = await open(html, viewport);
        await opened.page.evaluate(OPEN_ALL);
        const overflow = Number(
          await opened.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
        );
        expect(overflow).toBeLessThanOrEqual(0);
        expect(opened.noise).toEqual([]);
        await close(opened);
      }
    },
  );

  it.each(reports)('shows %s without a fault that axe-core calls serious, light and dark', async (_name, make) => {
    const html = await render(make(), 'html', { pages: detectorPages() });
    for (const scheme of ['light', 'dark'] as const) {
      // The axe script itself needs the policy out of its way.
      const opened = await open(html, DESKTOP, scheme, true);
      await opened.page.evaluate(OPEN_ALL);
      await opened.page.evaluate(axe);
      const { violations } = (await opened.page.evaluate('axe.run()')) as { violations: readonly AxeFault[] };
      const faults = violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        where: nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)),
      }));
      expect(faults.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
      await close(opened);
    }
  });

  it('runs nothing that a capture holds', async () => {
    for (const payload of PAYLOADS) {
      const html = await render(hostileDocument(spliceDocument(), payload), 'html', { pages: detectorPages(payload) });
      const opened = await open(html);
      expect(await opened.page.evaluate('"pwned" in globalThis')).toBe(false);
      expect(
        await opened.page.evaluate('document.querySelectorAll("script,img,iframe,object,embed,form").length'),
      ).toBe(0);
      expect(opened.noise).toEqual([]);
      await close(opened);
    }
  });

  it('opens ten thousand findings without pain and filters them by severity', async () => {
    const html = await render(hugeDocument(), 'html');
    const started = performance.now();
    const opened = await open(html);
    expect(performance.now() - started).toBeLessThan(8000);
    await opened.page.evaluate(OPEN_ALL);
    const shown = (): Promise<boolean> => opened.page.locator('.f.sev-critical').first().isVisible();
    expect(await shown()).toBe(true);
    await opened.page.locator('#show-critical').uncheck();
    expect(await shown()).toBe(false);
    await close(opened);
  });

  it('can be read by keyboard: the skip link, the contents, then every fold', async () => {
    const opened = await open(await render(spliceDocument(), 'html', { pages: detectorPages() }));
    await opened.page.keyboard.press('Tab');
    expect(await opened.page.evaluate('document.activeElement?.textContent')).toBe('Skip to the summary');
    const stops = new Set<string>();
    for (let step = 0; step < 60; step += 1) {
      await opened.page.keyboard.press('Tab');
      stops.add(String(await opened.page.evaluate('document.activeElement?.tagName')));
    }
    expect([...stops]).toEqual(expect.arrayContaining(['A', 'SUMMARY', 'INPUT']));
    await close(opened);
  });

  it('prints the incidents with their pictures, without the navigation', async () => {
    const opened = await open(await render(spliceDocument(), 'html'));
    await opened.page.emulateMedia({ media: 'print' });
    expect(await opened.page.locator('.top').isVisible()).toBe(false);
    expect(await opened.page.locator('#i1 .on-wide svg').isVisible()).toBe(true);
    expect((await opened.page.pdf()).length).toBeGreaterThan(10_000);
    await close(opened);
  });

  it('opens the picture of a timeline as a file of its own', async () => {
    const path = join(folder, 'session.svg');
    await writeFile(path, renderTimelineSvg(spliceTimeline(), 'S1'));
    const page = await browser.newPage();
    await page.goto(pathToFileURL(path).href);
    expect(await page.evaluate('document.documentElement.tagName')).toBe('svg');
    expect(await page.evaluate('document.querySelectorAll("parsererror").length')).toBe(0);
    await page.close();
  });
});

interface AxeFault {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
