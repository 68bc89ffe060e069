import { missingSentence } from '../detect/evidence.js';
import { EVIDENCE, type Evidence } from '../readers/record.js';
import { escapeTerminal } from './escape.js';
import { formatCount, plural } from './text.js';

/** What one capture turned out to carry. */
export interface SourceCheck {
  readonly path: string;
  readonly format: string;
  readonly vantage: string;
  readonly records: number;
  readonly exchanges: number;
  readonly rejected: number;
  readonly evidence: readonly Evidence[];
  readonly warnings: readonly string[];
}

/** A question that a detector answers, and the evidence it takes. */
export interface Question {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly Evidence[];
}

export type AnswerKind = 'yes' | 'partly' | 'no';

export interface Answer {
  readonly id: string;
  readonly title: string;
  readonly answer: AnswerKind;
  /** Captures that carry all that the question takes. */
  readonly by: readonly string[];
  /** What is missing where nothing answers, and how to capture it. */
  readonly reason: string | null;
}

export interface Checkup {
  readonly sources: readonly (SourceCheck & {
    readonly lacks: readonly Evidence[];
    /** Name for `doctor --config`; null: there is none that helps. */
    readonly configuration: string | null;
    readonly advice: string | null;
  })[];
  readonly answers: readonly Answer[];
}

/** What a proxy or an exporter can be told to write. */
const CONFIGURABLE: readonly Evidence[] = ['request-headers', 'response-headers', 'status', 'backend'];

const CONFIGURATIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:access|error)-log\/nginx/, 'nginx'],
  [/^access-log\/haproxy/, 'haproxy'],
  [/^(?:access|error)-log\/apache/, 'apache'],
  [/^(?:access|error)-log\/caddy/, 'caddy'],
  [/^access-log\/envoy/, 'envoy'],
  [/^access-log\/traefik/, 'traefik'],
  [/^(?:otlp|jaeger|zipkin|clickhouse)/, 'otel'],
];

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^access-log\/(?:alb|cloudfront|gcp-lb|azure-appgw)/,
    'this load balancer cannot log MCP headers: log them at the proxy or server behind it, or capture spans',
  ],
  [
    /^access-log\/cloudflare/,
    'name mcp-session-id, last-event-id and mcp-protocol-version as custom fields of the Logpush job',
  ],
  [/^access-log\/json/, 'map what the log holds under other names with --map'],
  [
    /^access-log\/traefik/,
    'Traefik cannot tell a cut stream from one that ended: put spans or the log of the server beside it',
  ],
  [
    /^har/,
    'save a HAR with content after the streams have ended; a HAR never shows the instance: put a proxy log or spans beside it',
  ],
  [/^mcpsnoop/, 'made up from messages: it shows calls, and nothing of sessions, events or resumes'],
];

const ERROR_LOG_HINT: readonly (readonly [RegExp, string])[] = [
  [
    /^access-log\/(?:nginx|apache|caddy)/,
    'put the error log beside the access log: only it knows which streams were cut',
  ],
];

/**
 * What captures can prove and what they cannot, question by question.
 * A question is answered when every capture carries all of its evidence; when only some do, or several together: partly.
 */
export function checkup(sources: readonly SourceCheck[], questions: readonly Question[]): Checkup {
  return {
    sources: sources.map((source) => {
      const lacks = EVIDENCE.filter((evidence) => !source.evidence.includes(evidence));
      const needsErrorLog =
        lacks.includes('end-state') && !sources.some(({ format }) => format.startsWith('error-log/'));
      const advice = [
        lookUp(ADVICE, source.format),
        needsErrorLog ? lookUp(ERROR_LOG_HINT, source.format) : null,
      ].filter((text) => text !== null);
      const isClosable = source.exchanges > 0 && lacks.some((evidence) => CONFIGURABLE.includes(evidence));
      return {
        ...source,
        lacks,
        configuration: isClosable || needsErrorLog ? lookUp(CONFIGURATIONS, source.format) : null,
        advice: advice.length === 0 ? null : advice.join('; '),
      };
    }),
    answers: questions.map((question) => answer(question, sources)),
  };
}

function answer({ id, title, needs }: Question, sources: readonly SourceCheck[]): Answer {
  const judged = sources.filter(({ exchanges }) => exchanges > 0);
  // An error log holds no exchanges and still says how those of the access log ended.
  const together = new Set(judged.length === 0 ? [] : sources.flatMap(({ evidence }) => evidence));
  const missing = needs.filter((need) => !together.has(need));
  if (missing.length > 0) return { id, title, answer: 'no', by: [], reason: missingSentence(missing) };
  if (judged.length === 0)
    return { id, title, answer: 'no', by: [], reason: 'needs MCP exchanges, and there are none' };
  const able = judged.filter(({ evidence }) => needs.every((need) => evidence.includes(need)));
  const by = able.map(({ path }) => path);
  return { id, title, answer: able.length === judged.length ? 'yes' : 'partly', by, reason: null };
}

function lookUp(table: readonly (readonly [RegExp, string])[], format: string): string | null {
  return table.find(([pattern]) => pattern.test(format))?.[1] ?? null;
}

/** The check-up as text for people; everything out of captures is made inert. */
export function renderCheckup({ sources, answers }: Checkup): string {
  const lines: string[] = [];
  for (const source of sources) {
    const rejected = source.rejected > 0 ? `, ${formatCount(source.rejected)} could not be read` : '';
    lines.push(
      escapeTerminal(source.path),
      `  ${escapeTerminal(source.format)}, seen from the ${source.vantage}: ${plural(source.records, 'record')}, ${plural(source.exchanges, 'MCP exchange')}${rejected}`,
      `  carries  ${source.evidence.join(', ') || 'nothing a detector can use'}`,
    );
    if (source.exchanges > 0) lines.push(`  lacks    ${source.lacks.join(', ') || 'nothing'}`);
    for (const warning of source.warnings) lines.push(`  note     ${escapeTerminal(warning)}`);
    if (source.advice !== null) lines.push(`  advice   ${source.advice}`);
    if (source.configuration !== null) lines.push(`  more     mcp-postmortem doctor --config ${source.configuration}`);
    lines.push('');
  }
  const width = Math.max(0, ...answers.map(({ id }) => id.length));
  for (const kind of ['yes', 'partly', 'no'] as const) {
    const group = answers.filter((one) => one.answer === kind);
    if (group.length === 0) continue;
    lines.push(HEADINGS[kind]);
    for (const { id, title, by, reason } of group) {
      const some = by.length === 0 ? 'by several together' : `by ${by.map(escapeTerminal).join(', ')} only`;
      const from = kind === 'partly' ? ` (${some})` : '';
      lines.push(`  ${escapeTerminal(id).padEnd(width)}  ${escapeTerminal(title)}${from}`);
      if (reason !== null) lines.push(`  ${' '.repeat(width)}  ${reason}`);
    }
    lines.push('');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

const HEADINGS: Readonly<Record<AnswerKind, string>> = {
  yes: 'These captures can answer:',
  partly: 'Some of these captures can answer:',
  no: 'None of these captures can answer:',
};
