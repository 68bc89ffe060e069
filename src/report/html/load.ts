import { type DrawChart, loadCharts } from '../charts/echarts-svg.js';
import { claimsIdleEviction, idleHistogram, idleThresholdMs } from '../charts/idle-histogram.js';
import { type Chart, loadChart } from '../charts/load-chart.js';
import { escapeHtml } from '../escape.js';
import type { ResultDocument } from '../result-document.js';

const WIDE = 940;
const NARROW = 350;

/** The load chart, and the idle-time histogram where idle-eviction is claimed; empty text when there is neither. */
export async function loadSection(document: ResultDocument): Promise<string> {
  const threshold = idleThresholdMs(document);
  const load = bothWidths((width) => loadChart(document.load, width));
  const idle = claimsIdleEviction(document)
    ? bothWidths((width) => idleHistogram(document.load.idle, threshold, width))
    : [];
  if (load.length + idle.length === 0) return '';
  const draw = await loadCharts();
  return `<section id="load" aria-labelledby="load-h"><h2 id="load-h">Load: why then?</h2>
${figure(draw, load, 'load', 'Requests, losses and resumes over time (UTC)')}
${figure(draw, idle, 'idle', 'How long sessions were idle before they were kept or lost')}</section>`;
}

interface SizedChart {
  readonly chart: Chart;
  readonly className: 'on-wide' | 'on-narrow';
}

function bothWidths(make: (width: number) => Chart | null): readonly SizedChart[] {
  const wide = make(WIDE);
  const narrow = make(NARROW);
  if (wide === null || narrow === null) return [];
  return [
    { chart: wide, className: 'on-wide' },
    { chart: narrow, className: 'on-narrow' },
  ];
}

function figure(draw: DrawChart, charts: readonly SizedChart[], id: string, title: string): string {
  const first = charts[0];
  if (first === undefined) return '';
  const drawn = charts.map(({ chart, className }) => {
    const names = { id: `${id}-${className}`, title, description: chart.description };
    return `<div class="${className}">${draw(chart.option, chart.size, names)}</div>`;
  });
  return `<figure class="picture"><figcaption>${title}. ${escapeHtml(first.chart.description)}</figcaption>
${drawn.join('\n')}</figure>`;
}
