import type { ResultDocument } from '../../src/report/result-document.js';

/** Fields whose values the product chooses itself; everything else can come from a capture. */
const CLOSED_FIELDS = new Set([
  'schema',
  'name',
  'severity',
  'confidence',
  'status',
  'state',
  'lane',
  'role',
  'outcome',
  'vantage',
  'at',
  'from',
  'to',
  'until',
  'day',
]);

/** Strings that act where they are printed: one list for every kind of report. */
export const PAYLOADS: readonly string[] = [
  '</script><script>globalThis.pwned=1</script>',
  '"><img src=x onerror="globalThis.pwned=1">',
  "' onmouseover='globalThis.pwned=1",
  '</style><svg/onload=globalThis.pwned=1>',
  ']]><!-- --> <![CDATA[ <?xml version="1.0"?><!ENTITY x "y">',
  'javascript:globalThis.pwned=1//',
  '[click](javascript:globalThis.pwned=1) ![i](https://evil.test/i.png) <https://evil.test>',
  'https://evil.test/a www.evil.test evil@evil.test @octocat #123 GH-1',
  '| a | b |\n|---|---|\n```\n# heading\n- [x] item\n~~~\n',
  '`` ` ``` code',
  ';%%{init: {"theme":"dark"}}%%\nend\nNote over c: x<br/>y $$\\sqrt{x}$$ #quot;',
  '=HYPERLINK("https://evil.test","x")',
  "+1+cmd|' /C calc'!A0",
  '-2+3',
  '@SUM(1)',
  '\t=1+1',
  '\r=1+1',
  '\u001b]8;;https://evil.test\u0007link\u001b]8;;\u0007 \u001b]52;c;cHduZWQ=\u0007 \u001b[2J\u001b[31m',
  '\u009b31m\u009d8;;x\u009c \u0000\u0008\u007f',
  'abc\r\nforged: line\u2028two\u2029three\u0085four',
  '\u202egnp.exe\u202c \u2066x\u2069 \u200b\u200d\ufeff\u00ad',
  '\u{e0041}\u{e0042} \ud800 \udc00 \ufffe',
  '{0} {1} {{x}} $ {{constructor.constructor("x")()}}',
  '__proto__',
  `${'A'.repeat(5000)} ${'`'.repeat(300)}`,
];

/** The document with `payload` in the place of every string that can come from a capture, keys of open maps too. */
export function hostileDocument(document: ResultDocument, payload: string): ResultDocument {
  return poison(document, '', payload) as ResultDocument;
}

function poison(value: unknown, field: string, payload: string): unknown {
  if (typeof value === 'string') return CLOSED_FIELDS.has(field) ? value : payload;
  if (Array.isArray(value)) return value.map((item) => poison(item, field, payload));
  if (typeof value !== 'object' || value === null) return value;
  const open = field === 'facts' || field === 'verdicts' || field === 'resumes';
  const entries = Object.entries(value).map(([key, item]) => [key, poison(item, key, payload)] as const);
  const named = open ? entries.map(([, item]) => [payload, item] as const) : entries;
  return Object.fromEntries(named);
}
