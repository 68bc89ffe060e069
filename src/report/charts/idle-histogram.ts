import type { LoadChart, ResultDocument } from '../result-document.js';
import { formatCount, formatDuration, plural } from '../text.js';
import { colour } from './echarts-svg.js';
import type { Chart } from './load-chart.js';

const MAX_BINS = 28;

/** The threshold in ms that an idle-eviction finding claims; null when none claims one. */
export function idleThresholdMs(document: ResultDocument): number | null {
  for (const { facts } of document.findings) {
    if (facts.cause !== 'idle-eviction') continue;
    const seconds = facts.threshold_s;
    if (typeof seconds === 'number' && seconds > 0) return seconds * 1000;
  }
  return null;
}

/** Whether idle-eviction is claimed at all. */
export function claimsIdleEviction(document: ResultDocument): boolean {
  return (
    document.findings.some(({ facts }) => facts.cause === 'idle-eviction') ||
    document.incidents.some(({ cause }) => cause === 'idle-eviction')
  );
}

/**
 * Sessions by how long they paused before they were kept or lost, on a logarithmic scale whose bins meet at the
 * threshold. Null without pauses.
 * @param width in CSS pixels
 */
export function idleHistogram(idle: LoadChart['idle'], thresholdMs: number | null, width: number): Chart | null {
  const pauses = idle.filter(({ idleMs }) => idleMs > 0);
  if (pauses.length === 0) return null;
  const edges = binEdges(pauses, thresholdMs);
  const kept = new Array<number>(edges.length - 1).fill(0);
  const lost = new Array<number>(edges.length - 1).fill(0);
  for (const pause of pauses) {
    const bin = binOf(edges, pause.idleMs);
    const counts = pause.lost ? lost : kept;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const lostCount = pauses.filter((pause) => pause.lost).length;
  const option = {
    legend: {
      data: ['kept', 'lost'],
      top: 2,
      right: 8,
      itemGap: 24,
      itemWidth: 11,
      itemHeight: 11,
      icon: 'rect',
      textStyle: { color: colour('muted'), fontSize: 11 },
    },
    grid: { left: width < 500 ? 36 : 56, right: 20, top: 34, height: 180 },
    xAxis: {
      type: 'value',
      min: 0,
      max: edges.length - 1,
      interval: Math.ceil((edges.length - 1) / (width < 500 ? 4 : 10)),
      axisLabel: {
        color: colour('muted'),
        fontSize: 11,
        hideOverlap: true,
        formatter: (index: number) => (edges[index] === undefined ? '' : formatDuration(roundPause(edges[index]))),
      },
      axisLine: { lineStyle: { color: colour('line') } },
      axisTick: { lineStyle: { color: colour('line') } },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      min: 0,
      minInterval: 1,
      splitNumber: 4,
      axisLine: { lineStyle: { color: colour('line') } },
      axisTick: { show: false },
      axisLabel: { color: colour('muted'), fontSize: 11, formatter: (value: number) => formatCount(value) },
      splitLine: { lineStyle: { color: colour('line') } },
    },
    series: [
      { ...bars('kept', kept), itemStyle: { color: colour('s0') } },
      { ...bars('lost', lost), itemStyle: { color: colour('bad') }, ...thresholdLine(edges, thresholdMs) },
    ],
  };
  const threshold = thresholdMs === null ? '' : ` The threshold is ${formatDuration(thresholdMs)}.`;
  return {
    option,
    size: { width, height: 246 },
    description: `${plural(pauses.length, 'pause')}, ${formatCount(lostCount)} of them ended in a loss.${threshold}`,
  };
}

function bars(name: string, counts: readonly number[]): object {
  return {
    type: 'bar',
    name,
    stack: 'pauses',
    silent: true,
    barWidth: '88%',
    data: counts.map((count, index) => [index + 0.5, count]),
  };
}

function thresholdLine(edges: readonly number[], thresholdMs: number | null): object {
  if (thresholdMs === null) return {};
  const index = edges.findIndex((edge) => edge >= thresholdMs * 0.999);
  if (index < 0) return {};
  return {
    markLine: {
      silent: true,
      symbol: 'none',
      lineStyle: { color: colour('ink'), type: 'dashed', width: 1.5 },
      label: {
        formatter: formatDuration(thresholdMs),
        color: colour('ink'),
        fontSize: 11,
        fontWeight: 'bold',
        position: 'end',
      },
      data: [{ xAxis: index }],
    },
  };
}

/** Edges in geometric steps; the threshold is one of them. */
function binEdges(pauses: LoadChart['idle'], thresholdMs: number | null): readonly number[] {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (const { idleMs } of pauses) {
    low = Math.min(low, idleMs);
    high = Math.max(high, idleMs);
  }
  const anchor = thresholdMs ?? high;
  low = Math.min(low, anchor);
  high = Math.max(high, anchor);
  const step = Math.max((high / low) ** (1 / (MAX_BINS - 2)), 1.02);
  const below = Math.ceil(Math.log(anchor / low) / Math.log(step)) + (thresholdMs === null ? 1 : 0);
  const above = Math.max(1, Math.floor(Math.log(high / anchor) / Math.log(step)) + 1);
  return Array.from({ length: below + above + 1 }, (_, index) => anchor * step ** (index - below));
}

function binOf(edges: readonly number[], idleMs: number): number {
  let bin = 0;
  while (bin < edges.length - 2 && idleMs >= (edges[bin + 1] ?? 0)) bin += 1;
  return bin;
}

/** An edge as a tick can say it: two figures are enough. */
function roundPause(ms: number): number {
  const unit = ms < 60_000 ? 1000 : ms < 3_600_000 ? 60_000 : 600_000;
  return Math.round(ms / unit) * unit || Math.round(ms);
}
