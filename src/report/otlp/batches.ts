/** Receivers refuse requests beyond some megabytes; the Collector's own limit for HTTP is 20 MiB, gateways' are lower. */
const MOST_BYTES = 2_000_000;
const MOST_ITEMS = 500;

/** Requests that hold all items, each below what receivers take. A single item that is larger goes as it is. */
export function* batches<T>(
  items: readonly T[],
  encode: (items: T[]) => Uint8Array | undefined,
): Generator<Uint8Array, void> {
  const waiting: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += MOST_ITEMS) waiting.push(items.slice(start, start + MOST_ITEMS));
  waiting.reverse();
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const request = encode([...part]);
    if (request === undefined) throw new Error('the encoder gave no bytes');
    if (request.byteLength <= MOST_BYTES || part.length === 1) {
      yield request;
      continue;
    }
    const half = Math.ceil(part.length / 2);
    waiting.push(part.slice(half), part.slice(0, half));
  }
}
