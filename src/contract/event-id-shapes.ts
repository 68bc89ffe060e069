/** Times that an id may plausibly carry: 2015 to 2040, in ms since the epoch. */
const EARLIEST_MS = 1_420_070_400_000n;
const LATEST_MS = 2_208_988_800_000n;
/** Epochs that snowflakes count from: Twitter's, and Discord's. */
const SNOWFLAKE_EPOCHS_MS = [1_288_834_974_657n, 1_420_070_400_000n];
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID7 = /^([0-9a-f]{8})-?([0-9a-f]{4})-?7([0-9a-f]{3})-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;

/** Any UUID in its hyphenated form (RFC 9562, section 4). */
export function isUuid(id: string): boolean {
  return id.length === 36 && UUID.test(id);
}

/** The 48 bits of time and 12 bits after it of a UUID version 7 (RFC 9562, section 5.7); null: none. */
export function uuid7Seq(id: string): bigint | null {
  const parts = UUID7.exec(id);
  if (parts === null) return null;
  const ms = BigInt(`0x${parts[1]}${parts[2]}`);
  return isPlausible(ms) ? (ms << 12n) | BigInt(`0x${parts[3]}`) : null;
}

/** The 48 bits of time and the 15 bits after it of a ULID; null: none. */
export function ulidSeq(id: string): bigint | null {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(id)) return null;
  let ms = 0n;
  for (const digit of id.slice(0, 10).toUpperCase()) ms = ms * 32n + BigInt(CROCKFORD.indexOf(digit));
  if (!isPlausible(ms)) return null;
  let seq = ms;
  for (const digit of id.slice(10, 13).toUpperCase()) seq = seq * 32n + BigInt(CROCKFORD.indexOf(digit));
  return seq;
}

/** A 17 to 19 digit integer with a plausible time in its upper bits; null: none. */
export function snowflakeSeq(digits: string): bigint | null {
  if (digits.length < 17 || digits.length > 19 || digits.startsWith('0')) return null;
  const value = BigInt(digits);
  if (value >= 2n ** 63n) return null;
  const ms = value >> 22n;
  return SNOWFLAKE_EPOCHS_MS.some((epoch) => isPlausible(ms + epoch)) ? value : null;
}

/** `<ms>-<n>` of a Redis stream: ordered by time, then by number; null: none. */
export function redisParts(id: string): bigint | null {
  const parts = /^(1\d{12})-(\d{1,6})$/.exec(id);
  return parts === null ? null : BigInt(parts[1]!) * 1_000_000n + BigInt(parts[2]!);
}

/** `base64(session):base64(stream):<n>`; null: none. */
export function csharpParts(id: string): { session: string; stream: string; seq: bigint } | null {
  const parts = /^([A-Za-z0-9+/_-]+=*):([A-Za-z0-9+/_-]*=*):(\d{1,18})$/.exec(id);
  if (parts === null) return null;
  const session = decodeBase64(parts[1]!);
  const stream = decodeBase64(parts[2]!);
  return session === null || stream === null ? null : { session, stream, seq: BigInt(parts[3]!) };
}

/** Base64 of printable ASCII; null for anything else, so that `a:b:1` is no such id. */
function decodeBase64(text: string): string | null {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Buffer.from(standard, 'base64');
  if (bytes.toString('base64').replaceAll('=', '') !== standard.replaceAll('=', '')) return null;
  const decoded = bytes.toString('latin1');
  return /^[\x20-\x7e]*$/.test(decoded) ? decoded : null;
}

function isPlausible(ms: bigint): boolean {
  return ms >= EARLIEST_MS && ms < LATEST_MS;
}
