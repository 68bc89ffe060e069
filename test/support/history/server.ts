import type { Profile } from './profiles.js';
import type { WireEvent, WireExchange } from './wire.js';
import type { World } from './world.js';

/** A logical stream of a session on the server, with the events it has kept. */
export interface ServerStream {
  name: string;
  kept: WireEvent[];
  /** The exchange that is connected to it now. */
  connection: WireExchange | null;
  count: number;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** One session as its server holds it. */
export class ServerSession {
  readonly streams: ServerStream[] = [];
  alive = true;
  /** A client holds or is re-opening the listening stream. */
  listening = false;
  #events = 0;
  #requests = 0;

  constructor(
    readonly world: World,
    readonly profile: Profile,
    readonly id: string,
    readonly version: string,
    public backend: string,
  ) {
    this.#events = profile.ids === 'counter' ? world.random.int(0, 3) : 0;
  }

  get primes(): boolean {
    return this.profile.primes && this.version === '2025-11-25';
  }

  /** The session header of a response that is not to `initialize`. */
  get echoed(): string | null {
    return this.profile.echoes ? this.id : null;
  }

  openStream(kind: 'post' | 'get'): ServerStream {
    const { random } = this.world;
    const names = {
      none: '',
      uuid: '',
      counter: '',
      typescript: kind === 'get' ? '_GET_stream' : random.uuid(),
      go: kind === 'get' ? '' : random.text(BASE32, 26),
      rmcp: kind === 'get' ? '' : String(this.#requests++),
      java: random.uuid(),
      csharp: random.hex(16),
    };
    const name = names[this.profile.ids];
    const old = kind === 'get' ? this.streams.find((stream) => stream.name === `get ${name}`) : undefined;
    if (old !== undefined && this.profile.ids !== 'java') return old;
    const stream = { name: kind === 'get' ? `get ${name}` : name, kept: [], connection: null, count: 0 };
    this.streams.push(stream);
    return stream;
  }

  mintId(stream: ServerStream): string | null {
    const { random, clock } = this.world;
    const name = stream.name.replace(/^get /, '');
    const n = stream.count;
    stream.count += 1;
    switch (this.profile.ids) {
      case 'none':
        return null;
      case 'uuid':
        return random.uuid();
      case 'counter':
        this.#events += 1;
        return `e${this.#events}`;
      case 'typescript':
        return `${name}_${clock.nowMs}_${random.text('abcdefghijklmnopqrstuvwxyz0123456789', 8)}`;
      case 'go':
        return `${name}_${n}`;
      case 'rmcp':
        return name === '' ? String(n) : `${n}/${name}`;
      case 'java':
        return `${name}_${random.uuid()}`;
      case 'csharp':
        return `${Buffer.from(this.id).toString('base64')}:${Buffer.from(name === '' ? 'get' : name).toString('base64')}:${n}`;
    }
  }

  /** Emits an event: kept for later, and sent when somebody is connected. */
  emit(stream: ServerStream, data: string, retryMs: number | null = null): WireEvent {
    const event: WireEvent = {
      id: this.mintId(stream),
      type: 'message',
      data,
      retryMs,
      atMs: this.world.clock.nowMs,
      partial: false,
    };
    stream.kept.push(event);
    this.deliver(stream, event);
    return event;
  }

  deliver(stream: ServerStream, event: WireEvent): void {
    const connection = stream.connection;
    if (connection !== null && !connection.done.fired) {
      connection.events.push({ ...event, atMs: this.world.clock.nowMs });
    }
  }

  /** Kept events after an id, in order. */
  after(stream: ServerStream, id: string): WireEvent[] {
    const at = stream.kept.findIndex((event) => event.id === id);
    return stream.kept.slice(at + 1);
  }
}
