import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PostmortemError } from '../error.js';
import type { Incident } from '../incident/finding.js';
import { isoTime } from '../incident/time.js';
import type { RenderOptions } from '../report/options.js';
import { type ReportFormat, render } from '../report/render.js';
import type { ResultDocument } from '../report/result-document.js';
import type { Store } from '../store/store.js';
import type { JobConfig } from './config.js';
import type { DetectorPages, JobHost } from './host.js';
import { indexPage } from './index-page.js';
import { Kept } from './kept.js';

const EXTENSIONS: Readonly<Record<ReportFormat, string>> = {
  table: 'txt',
  json: 'json',
  ndjson: 'ndjson',
  md: 'md',
  html: 'html',
  csv: 'csv',
  sarif: 'sarif.json',
  junit: 'xml',
  otlp: 'otlp.json',
};

/** Pages that one run writes, the gravest incidents first. */
const MAX_PAGES = 300;

/** The document of the last judgement; null: nothing has been judged. */
export async function lastDocument(store: Store): Promise<ResultDocument | null> {
  const tables = await store.rows("select 1 from information_schema.tables where table_name = 'result_document'");
  if (tables.length === 0) return null;
  const [row] = await store.rows<{ document: string }>('select document from result_document');
  return row === undefined ? null : (JSON.parse(row.document) as ResultDocument);
}

/** Whether the files of the last judgement are there. */
export function hasOutputs(config: JobConfig): boolean {
  const latest = config.formats.map((format) => join(config.folder, `latest.${EXTENSIONS[format]}`));
  return [join(config.folder, 'index.html'), ...latest, ...(config.otlp ?? [])].every((path) => existsSync(path));
}

/**
 * Writes the reports of a judgement, a page for every incident in it, and the index. Each file is the old one or the new
 * one at any moment.
 * @throws PostmortemError `output-failed`
 */
export async function writeOutputs(
  store: Store,
  document: ResultDocument,
  pages: DetectorPages,
  config: JobConfig,
  host: JobHost,
): Promise<void> {
  const { folder } = config;
  makeFolders(config);
  const options: RenderOptions = { pages, failOn: config.failOn };
  const kept = await Kept.load(store);
  for (const incident of document.incidents.slice(0, MAX_PAGES)) {
    const path = join(folder, 'incidents', `${incident.id}.html`);
    if (incident.state === 'resolved' && existsSync(path)) continue;
    await host.write(path, await render(aboutIncident(document, incident, kept), 'html', options));
  }
  const hasNews = [...document.findings, ...document.incidents].some(({ state }) => state === 'new');
  const stamp = (document.window.to ?? 'no-records').replace(/\.\d+Z$/, 'Z').replaceAll(':', '-');
  for (const format of config.formats) {
    const text = await render(document, format, options);
    const extension = EXTENSIONS[format];
    if (hasNews) await host.write(join(folder, 'reports', `${stamp}.${extension}`), text);
    await host.write(join(folder, `latest.${extension}`), text);
  }
  if (config.otlp !== null) await host.write(config.otlp, await render(document, 'otlp', options));
  removeOldReports(config);
  await writeIndex(store, kept, config, host);
}

/** The document with nothing in it but one incident. The load chart is of interest where load is the cause. */
function aboutIncident(document: ResultDocument, incident: Incident, kept: Kept): ResultDocument {
  const findings = incident.findings.flatMap((id) => kept.findings.get(id)?.finding ?? []);
  const isOfLoad = document.load.windows.some(({ cause }) => cause === incident.cause);
  const load = isOfLoad ? document.load : { ...document.load, buckets: [], backends: [], windows: [], idle: [] };
  return { ...document, incidents: [incident], findings, load };
}

/** The index by itself: messages were sent, or incidents are over. */
export async function writeIndex(store: Store, kept: Kept, config: JobConfig, host: JobHost): Promise<void> {
  const [job] = await store.rows<{ watermark_ns: bigint | null }>('select watermark_ns from job');
  const told = await store.rows<{ incident: string }>('select distinct incident from notice where sent');
  const page = indexPage([...kept.incidents.values()], {
    version: host.version,
    newest: isoTime(job?.watermark_ns ?? null),
    told: new Set(told.map(({ incident }) => incident)),
    pages: new Set(namesIn(join(config.folder, 'incidents')).map((name) => name.replace(/\.html$/, ''))),
    reports: datedReports(config)
      .filter((name) => name.endsWith('.html'))
      .reverse(),
  });
  await host.write(join(config.folder, 'index.html'), page);
}

function makeFolders({ folder, otlp }: JobConfig): void {
  try {
    for (const path of [folder, join(folder, 'incidents'), join(folder, 'reports')])
      mkdirSync(path, { recursive: true });
    if (otlp !== null) mkdirSync(dirname(otlp), { recursive: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const hint = 'Give outputs.folder a place that can be written to.';
    throw new PostmortemError('output-failed', `${folder}: cannot be written: ${reason}`, hint, { cause });
  }
  // A run that was killed while it wrote leaves its temporary file.
  for (const path of [folder, join(folder, 'incidents'), join(folder, 'reports')]) {
    for (const name of readdirSync(path)) {
      if (/^\..+\.[0-9a-f]{12}\.tmp$/.test(name)) rmSync(join(path, name), { force: true });
    }
  }
}

function datedReports({ folder }: JobConfig): string[] {
  return namesIn(join(folder, 'reports'))
    .filter((name) => /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\./.test(name))
    .sort();
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function removeOldReports(config: JobConfig): void {
  const names = datedReports(config);
  const stamps = [...new Set(names.map((name) => name.slice(0, name.indexOf('Z.'))))];
  const old = new Set(stamps.slice(0, Math.max(0, stamps.length - config.keepReports)));
  for (const name of names) {
    if (old.has(name.slice(0, name.indexOf('Z.')))) rmSync(join(config.folder, 'reports', name), { force: true });
  }
}
