import { type Capture, EVIDENCE, type Evidence } from './record.js';

/** Notes what the captures of a source carry, so that the source claims no more than it showed. */
export class EvidenceTally {
  readonly #seen = new Set<Evidence>();

  add({ exchange, events }: Capture): void {
    if (exchange.sawRequestHeaders) this.#seen.add('request-headers');
    if (exchange.sawResponseHeaders) this.#seen.add('response-headers');
    if (exchange.status !== null) this.#seen.add('status');
    if (exchange.sawRequestBody || exchange.sawResponseBody) this.#seen.add('bodies');
    if (exchange.sawEvents) this.#seen.add('events');
    if (events.some((event) => event.atNs !== null)) this.#seen.add('event-times');
    if (exchange.endState !== 'unknown') this.#seen.add('end-state');
    if (exchange.backends.length > 0) this.#seen.add('backend');
    if (exchange.principal !== null) this.#seen.add('principal');
  }

  /** In the order of `EVIDENCE`. */
  evidence(): Evidence[] {
    return EVIDENCE.filter((name) => this.#seen.has(name));
  }
}
