/** Instances in the order tried, the serving one last, with the status each try ended with. */
export interface Backends {
  readonly names: readonly string[];
  readonly statuses: readonly (number | null)[];
}

export const NO_BACKENDS: Backends = { names: [], statuses: [] };

const MAX_REMEMBERED = 20_000;
const lists = new Map<string, Map<string | null, Backends>>();
const singles = new Map<string, Map<number | null, Backends>>();

/**
 * nginx's `$upstream_addr` and `$upstream_status`: `a, b : c` are three tries in two groups (an internal redirect between).
 * A try without an address (`-`) or with the name of the upstream group (no live server) reached no instance.
 */
export function upstreamBackends(addresses: string, statuses: string | null): Backends {
  return remembered(lists, addresses, statuses, () => {
    const tries = splitTries(addresses);
    const codes = statuses === null ? [] : splitTries(statuses);
    const isAligned = codes.length === tries.length;
    const reached = tries.map((name, index) => ({ name, status: isAligned ? statusOf(codes[index]!) : null }));
    const instances = reached.filter(({ name }) => isInstance(name));
    return { names: instances.map(({ name }) => name), statuses: instances.map(({ status }) => status) };
  });
}

/** One instance as it stands in the log: an address, a URL, a name (within HAProxy's pool); `-` and the like are none. */
export function singleBackend(name: string, status: number | null, pool: string | null): Backends {
  const whole = pool ? `${pool}/${name}` : name;
  return remembered(singles, whole, status, () => {
    const address =
      pool || name.startsWith('unix:') ? name : name.replace(/^[a-z][a-z0-9+.]*:\/\//i, '').replace(/\/.*$/s, '');
    if (address === '' || address === '-' || address.startsWith('<')) return NO_BACKENDS;
    return { names: [pool ? whole : address], statuses: [status] };
  });
}

/** Two keys in turn instead of one made of both: strings of a log come from a table and carry their hash. */
function remembered<A, B>(memory: Map<A, Map<B, Backends>>, first: A, second: B, make: () => Backends): Backends {
  let inner = memory.get(first);
  const known = inner?.get(second);
  if (known !== undefined) return known;
  if (inner === undefined) {
    if (memory.size >= MAX_REMEMBERED) memory.clear();
    inner = new Map();
    memory.set(first, inner);
  } else if (inner.size >= MAX_REMEMBERED) inner.clear();
  const made = make();
  inner.set(second, made);
  return made;
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
