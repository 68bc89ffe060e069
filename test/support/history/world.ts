import { Clock } from './clock.js';
import { PROFILES, type Profile } from './profiles.js';
import { Random } from './random.js';
import { ServerSession } from './server.js';
import { type Identity, type Injected, WireExchange } from './wire.js';

/** Fields of a request that differ from exchange to exchange. */
export interface Sent {
  method: 'GET' | 'POST' | 'DELETE';
  session?: string | null;
  cursor?: string | null;
  version?: string | null;
  body?: object | null;
}

/** Everything that lives in one history: the clock, the server's habits, what went over the wire. */
export class World {
  readonly random: Random;
  readonly clock: Clock;
  readonly exchanges: WireExchange[] = [];
  readonly injected: Injected[] = [];
  /** Instances that take new sessions. */
  backends: readonly string[];
  readonly profile: Profile;
  #connections: number;

  constructor(
    readonly seed: number,
    profile?: Profile,
  ) {
    this.random = new Random(seed);
    // Numbers of connections, addresses and agents differ between histories: many are judged in one run.
    this.#connections = (seed % 60_000) * 16;
    this.clock = new Clock(Date.UTC(2026, 4, 4, 9, 0, 0) + this.random.int(0, 86_400) * 1000 * 30);
    this.backends = ['10.20.0.11:8080', '10.20.0.12:8080', '10.20.0.13:8080'];
    this.profile = profile ?? this.random.pick(PROFILES);
  }

  identity(): Identity {
    this.#connections += 1;
    return {
      address: `10.${(this.#connections >> 16) & 255}.${(this.#connections >> 8) & 255}.${this.#connections & 255}`,
      connection: this.#connections,
      userAgent: `bench-client/${this.#connections}.2`,
      authorization: `Bearer ${this.random.hex(24)}`,
    };
  }

  session(version: string, id: string | null = null): ServerSession {
    const backend = this.random.pick(this.backends);
    return new ServerSession(this, this.profile, id ?? this.profile.session(this.random), version, backend);
  }

  send(identity: Identity, sent: Sent): WireExchange {
    const x = new WireExchange(
      this.clock.nowMs,
      sent.method,
      { ...identity },
      sent.session ?? null,
      sent.cursor ?? null,
      sent.version ?? null,
      sent.body === undefined || sent.body === null ? null : JSON.stringify(sent.body),
      this.random.hex(32),
      this.random.hex(16),
    );
    this.exchanges.push(x);
    return x;
  }

  /** A rolling deploy: an instance goes, another comes; the sessions of the old one are gone with it. */
  replaceBackend(): void {
    const old = this.random.pick(this.backends);
    const fresh = `10.20.1.${this.random.int(10, 250)}:8080`;
    this.backends = this.backends.map((address) => (address === old ? fresh : address));
  }

  inject(fault: string, detectors: readonly string[], session: string | null): void {
    this.injected.push({ fault, detectors, session });
  }
}
