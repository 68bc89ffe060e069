import { mkdirSync, rmSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import type { Built } from './build.js';
import { BrowserClient } from './client/browser-client.js';
import { LabClient, type LabClientSettings, type Recovery } from './client/lab-client.js';
import type { InstanceSettings } from './instance/settings.js';
import { InstanceProcess } from './instance-process.js';
import { freePorts } from './ports.js';
import type { Programs } from './programs.js';
import { startHaproxy } from './proxy/haproxy.js';
import { startNginx } from './proxy/nginx.js';
import type { FrontProxy, ProxySettings, Upstream } from './proxy/proxy.js';

export interface Parts {
  readonly programs: Programs;
  readonly built: Built;
  readonly browser: Browser;
}

type InstancePlan = Omit<InstanceSettings, 'name' | 'port' | 'folder'>;

/** What a scenario is played with. */
export interface Plan {
  readonly proxy: 'nginx' | 'haproxy';
  readonly balance: ProxySettings['balance'];
  /** Of a stream without a byte. */
  readonly readTimeoutS?: number;
  readonly retriesPosts?: boolean;
  /** All instances by name; they run from the start, but only those in `inUse` are behind the proxy at first. */
  readonly instances: Readonly<Record<string, Partial<InstancePlan>>>;
  readonly inUse: readonly string[];
}

const USUAL: InstancePlan = {
  unknownSession: 'refuse',
  events: 'counter',
  idleLimitMs: null,
  answersJson: false,
  diesAfter: null,
};

/** One deployment on loopback: instances, the proxy before them, and clients. */
export class World {
  readonly folder: string;
  readonly #parts: Parts;
  readonly #plan: Plan;
  readonly #ports: ReadonlyMap<string, number>;
  readonly #running = new Map<string, InstanceProcess>();
  readonly #clients: (LabClient | BrowserClient)[] = [];
  #proxy: FrontProxy | null = null;

  private constructor(parts: Parts, plan: Plan, folder: string, ports: ReadonlyMap<string, number>) {
    this.#parts = parts;
    this.#plan = plan;
    this.#ports = ports;
    this.folder = folder;
  }

  static async open(parts: Parts, plan: Plan, folder: string): Promise<World> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const names = Object.keys(plan.instances);
    const [proxyPort, ...ports] = await freePorts(names.length + 1);
    const world = new World(parts, plan, folder, new Map(names.map((name, index) => [name, ports[index]!])));
    await world.#start(names);
    const settings: ProxySettings = {
      folder,
      port: proxyPort!,
      balance: plan.balance,
      upstreams: names.map((name) => world.#upstream(name)),
      inUse: plan.inUse.map((name) => world.#upstream(name)),
      readTimeoutS: plan.readTimeoutS ?? null,
      retriesPosts: plan.retriesPosts ?? false,
    };
    world.#proxy = await (plan.proxy === 'nginx'
      ? startNginx(parts.programs.nginx, settings)
      : startHaproxy(parts.programs.haproxy, settings));
    return world;
  }

  get proxy(): FrontProxy {
    return this.#proxy!;
  }

  instance(name: string): InstanceProcess {
    return this.#running.get(name)!;
  }

  /** New connections go to these instances only. */
  async route(...names: readonly string[]): Promise<void> {
    await this.proxy.use(names.map((name) => this.#upstream(name)));
  }

  /** One step of a rolling deploy: `next` takes the place of `old`, whose streams end. */
  async replace(old: string, next: string, keep: readonly string[]): Promise<void> {
    await this.route(...keep, next);
    await this.instance(old).drain();
  }

  nodeClient(name: string, recovery: Recovery, timeoutMs = 4000): LabClient {
    const client = new LabClient(this.#settings(name, recovery, timeoutMs));
    this.#clients.push(client);
    return client;
  }

  /** A client in Chromium; what it does is recorded as `<name>.har`. */
  async browserClient(name: string, recovery: Recovery, timeoutMs = 4000): Promise<BrowserClient> {
    const settings = this.#settings(name, recovery, timeoutMs);
    const client = await BrowserClient.open(this.#parts.browser, this.folder, settings);
    this.#clients.push(client);
    return client;
  }

  /** Ends everything in an order in which every recording is written to its end. */
  async stop(): Promise<void> {
    const ends = this.#clients.map((client) => client.close(false).catch(() => undefined));
    await Promise.all(ends);
    const pages = this.#clients.filter((client) => client instanceof BrowserClient);
    await Promise.all(pages.map((page) => page.stop()));
    await Promise.all([...this.#running.values()].map((instance) => instance.drain()));
    await this.#proxy?.stop();
  }

  async #start(names: readonly string[]): Promise<void> {
    const started = names.map(async (name) => {
      const settings = { ...USUAL, ...this.#plan.instances[name], ...this.#upstream(name), folder: this.folder };
      const { instance, client } = this.#parts.built;
      this.#running.set(name, await InstanceProcess.start(instance, client, settings));
    });
    await Promise.all(started);
  }

  #upstream(name: string): Upstream {
    return { name, port: this.#ports.get(name)! };
  }

  #settings(name: string, recovery: Recovery, timeoutMs: number): LabClientSettings {
    return { url: `http://127.0.0.1:${this.proxy.port}/mcp`, name, recovery, timeoutMs };
  }
}
