import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { PageClient } from './in-browser.js';
import type { CallArguments, CallEnd, LabClientSettings } from './lab-client.js';

declare const labPage: PageClient;

/** The SDK's client in a page of Chromium, in a context of its own that is recorded as a HAR. */
export class BrowserClient {
  readonly harPath: string;
  readonly #context: BrowserContext;
  readonly #page: Page;

  private constructor(context: BrowserContext, page: Page, harPath: string) {
    this.#context = context;
    this.#page = page;
    this.harPath = harPath;
  }

  static async open(browser: Browser, folder: string, settings: LabClientSettings): Promise<BrowserClient> {
    const harPath = join(folder, `${settings.name}.har`);
    const context = await browser.newContext({ recordHar: { path: harPath, content: 'embed', mode: 'full' } });
    const page = await context.newPage();
    const origin = new URL(settings.url).origin;
    await page.goto(`${origin}/`);
    await page.addScriptTag({ url: `${origin}/client.js`, type: 'module' });
    await page.waitForFunction(() => 'labPage' in globalThis);
    await page.evaluate((all) => labPage.start(all), settings);
    return new BrowserClient(context, page, harPath);
  }

  async connect(): Promise<void> {
    await this.#page.evaluate(() => labPage.client().connect());
  }

  async listTools(): Promise<void> {
    await this.#page.evaluate(() => labPage.client().listTools());
  }

  async ping(): Promise<CallEnd> {
    return this.#page.evaluate(() => labPage.client().ping());
  }

  async call(tool: string, call: CallArguments): Promise<CallEnd> {
    return this.#page.evaluate(([name, args]) => labPage.client().call(name, args), [tool, call] as const);
  }

  async startAgain(): Promise<void> {
    await this.#page.evaluate(() => labPage.client().startAgain());
  }

  async close(saysGoodbye: boolean): Promise<void> {
    await this.#page.evaluate((goodbye) => labPage.client().close(goodbye), saysGoodbye);
  }

  /** Ends the recording: the HAR is written. */
  async stop(): Promise<void> {
    await this.#context.close();
  }
}
