/** Instances in the order tried, the serving one last, with the status each try ended with. */
export interface Backends {
  readonly names: readonly string[];
  readonly statuses: readonly (number | null)[];
}

export const NO_BACKENDS: Backends = { names: [], statuses: [] };

const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, Backends>();

/**
 * nginx's `$upstream_addr` and `$upstream_status`: `a, b : c` are three tries in two groups (an internal redirect between).
 * A try without an address (`-`) or with the name of the upstream group (no live server) reached no instance.
 */
export function upstreamBackends(addresses: string, statuses: string | null): Backends {
  const key = statuses === null ? addresses : `${addresses}\n${statuses}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const tries = splitTries(addresses);
  const codes = statuses === null ? [] : splitTries(statuses);
  const isAligned = codes.length === tries.length;
  const names: string[] = [];
  const kept: (number | null)[] = [];
  tries.forEach((address, index) => {
    if (!isInstance(address)) return;
    names.push(address);
    kept.push(isAligned ? statusOf(codes[index]!) : null);
  });
  const backends = { names, statuses: kept };
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(key, backends);
  return backends;
}

/** One instance as it stands in the log: an address, a URL, a name (within HAProxy's pool); `-` and the like are none. */
export function singleBackend(name: string, status: number | null, pool: string | null): Backends {
  const key = `${pool ?? ''}\t${name}\t${status}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const clean = name.replace(/^[a-z][a-z0-9+.]*:\/\//i, '').replace(/\/.*$/s, '');
  const address = name.startsWith('unix:') ? name : clean;
  const backends =
    address === '' || address === '-' || address.startsWith('<')
      ? NO_BACKENDS
      : { names: [pool ? `${pool}/${address}` : address], statuses: [status] };
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(key, backends);
  return backends;
}

function splitTries(list: string): string[] {
  return list.split(/, ?| : /).map((item) => item.trim());
}

function isInstance(address: string): boolean {
  return address.startsWith('unix:') || /:\d{1,5}$/.test(address);
}

function statusOf(text: string): number | null {
  return /^[1-9]\d\d$/.test(text) ? Number(text) : null;
}
