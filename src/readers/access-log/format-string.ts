import { PostmortemError } from '../../error.js';
import type { Dialect } from './dialect.js';
import { apacheTokens } from './format-apache.js';
import { envoyTokens } from './format-envoy.js';
import { haproxyTokens } from './format-haproxy.js';
import { nginxTokens } from './format-nginx.js';
import { buildPattern, type PartKind, type Pattern, type PatternToken } from './pattern.js';
import type { Blank, Escape, SlotName } from './slot.js';

/** A piece of a format string: fixed text, or a value. */
export type FormatToken =
  | string
  | { readonly slot: SlotName | null; readonly isList: boolean; readonly isQuoted?: boolean };

export interface ParsedFormat {
  readonly dialect: Dialect;
  readonly escape: Escape;
  readonly blank: Blank;
  readonly tokens: readonly FormatToken[];
}

const NAMED: Readonly<Record<string, string>> = {
  combined:
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
  common: '%h %l %u %t "%r" %>s %b',
  vhost_combined: '%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"',
};

/**
 * Turns the format string of a proxy's configuration into a pattern: nginx `log_format` (the string, or the whole directive), Apache
 * `LogFormat`, HAProxy `log-format`, Envoy `text_format`.
 * @throws PostmortemError `usage` for what is none of them, or cannot be told apart in a line
 */
export function formatPattern(format: string): Pattern {
  const text =
    (NAMED[format.trim()] !== undefined && Object.hasOwn(NAMED, format.trim()) ? NAMED[format.trim()] : format) ??
    format;
  const parsed = parseFormat(text);
  const texts: string[] = [''];
  const values: { slot: SlotName | null; isList: boolean }[] = [];
  for (const token of parsed.tokens) {
    if (typeof token === 'string') texts[texts.length - 1] += token;
    else {
      if (values.length > 0 && texts.at(-1) === '')
        refuse(format, 'two values stand side by side, and nothing tells them apart');
      // HAProxy's %{+Q} writes the quotation marks itself.
      if (token.isQuoted === true) texts[texts.length - 1] += '"';
      values.push(token);
      texts.push(token.isQuoted === true ? '"' : '');
    }
  }
  if (values.length === 0) refuse(format, 'it names no value');
  const bytes = texts.map((piece) => Buffer.from(piece, 'utf8').toString('latin1'));
  const tokens = values.map(({ slot, isList }, index): PatternToken => {
    return { slot, kind: kindOf(bytes[index]!, bytes[index + 1]!, isList, parsed.escape) };
  });
  return buildPattern(parsed.dialect, parsed.escape, parsed.blank, bytes, tokens);
}

function kindOf(before: string, after: string, isList: boolean, escaping: Escape): PartKind {
  const isQuoted = before.endsWith('"') && after.startsWith('"');
  if (isQuoted && (escaping === 'clf' || escaping === 'json')) return 'quoted';
  return isList && after.startsWith(' ') ? 'list' : 'bare';
}

function parseFormat(format: string): ParsedFormat {
  if (/%(?:REQ|RESP|START_TIME|RESPONSE_CODE|DURATION|PROTOCOL|UPSTREAM_HOST|RESPONSE_FLAGS)\b/.test(format))
    return envoyTokens(format);
  if (/\$\{?[a-z_]/.test(format)) return nginxTokens(format);
  if (
    /%(?:\{[^}]*\})?(?:\[|c[ip]|ST|tsc?|t[rRgl]+|T[acdDhiqrRtwu]|ft?|hr|hs|CC|H[MPQUV]+|B|U|ac|b[iq]?\/%s)/.test(
      format,
    ) &&
    !/%>?s\b.*%b\b|%h %l|%\{[^}]+\}[ioe]/.test(format)
  ) {
    return haproxyTokens(format);
  }
  if (/%[<>]?(?:\{[^}]*\})?[a-zA-Z]/.test(format)) return apacheTokens(format);
  return refuse(
    format,
    'it holds no variable of nginx ($status), Apache (%>s), HAProxy (%ST) or Envoy (%RESPONSE_CODE%)',
  );
}

function refuse(format: string, why: string): never {
  throw new PostmortemError(
    'usage',
    `--log-format ${format}: ${why}`,
    "Give the string of the proxy's own configuration: nginx log_format, Apache LogFormat, HAProxy log-format, Envoy text_format.",
  );
}
