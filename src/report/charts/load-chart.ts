import type { EChartsCoreOption } from 'echarts/core';
import { clip } from '../escape.js';
import type { LoadChart } from '../result-document.js';
import { compareText } from '../summary.js';
import { causeWords, dayOf, formatClock, formatCount, formatDuration, plural } from '../text.js';
import { backendAxis, backendLives } from './backend-lives.js';
import { type Buckets, mergeBuckets } from './buckets.js';
import { type ChartSize, type ColourName, chartText, colour } from './echarts-svg.js';
import { type TimeScale, timeScale } from './time-scale.js';

const MAX_BUCKETS = 200;
const MAX_BACKENDS = 12;
const MAX_WINDOWS = 20;
const LANE_HEIGHT = 18;
/** From here on a chart has the room of a page, below that of a phone. */
const WIDE_FROM = 500;

const VERDICT_COLOURS: ReadonlyMap<string, ColourName> = new Map([
  ['resumed', 'good'],
  ['session-gone', 's1'],
  ['refused', 'warn'],
  ['epoch-merge', 'bad'],
  ['foreign', 's5'],
  ['replayed-last', 's3'],
  ['replayed-earlier', 's3'],
  ['gap', 's4'],
  ['unorderable', 's0'],
  ['unproven', 'sx'],
  ['unacknowledged', 'muted'],
  ['unobserved', 'chart-requests'],
]);

/** A chart ready to be drawn. */
export interface Chart {
  readonly option: EChartsCoreOption;
  readonly size: ChartSize;
  readonly description: string;
}

/** One of the diagrams that stand above each other on one time axis. */
interface Panel {
  readonly title: string;
  readonly height: number;
  readonly yAxis: (gridIndex: number) => object;
  readonly series: (axis: number) => readonly object[];
}

/**
 * Requests, session losses and resumes by verdict over time, the instances' lives beneath, windows with a proven cause
 * marked. Null when the run saw nothing over time.
 * @param width in CSS pixels
 */
export function loadChart(load: LoadChart, width: number): Chart | null {
  const first = load.buckets[0];
  const last = load.buckets.at(-1);
  if (first === undefined || last === undefined) return null;
  const verdicts = [...new Set(load.buckets.flatMap(({ resumes }) => Object.keys(resumes)))].sort(compareText);
  const panels = panelsOf(load, verdicts, width);
  const scale = timeScale(Date.parse(first.at), Date.parse(last.at) + load.bucketMs, width < WIDE_FROM ? 4 : 10);
  const { grids, bottom } = stack(panels, width);
  const legendHeight = verdicts.length === 0 ? 0 : 22 * Math.ceil((verdicts.length * 120) / width);
  const option = {
    title: panels.map(({ title }, index) => titleAt(title, (grids[index]?.top ?? 0) - 22)),
    legend: legend(verdicts, bottom),
    grid: grids,
    xAxis: panels.map((_panel, index) => timeAxis(index, scale, index === panels.length - 1)),
    yAxis: panels.map(({ yAxis }, index) => yAxis(index)),
    series: panels.flatMap(({ series }, index) => series(index)),
  };
  return { option, size: { width, height: bottom + legendHeight }, description: describe(load) };
}

function panelsOf(load: LoadChart, verdicts: readonly string[], width: number): readonly Panel[] {
  const merged = mergeBuckets(load.buckets, load.bucketMs, MAX_BUCKETS);
  const per = formatDuration(merged.bucketMs);
  const windows = windowMarks(load, width < WIDE_FROM ? 'insideTop' : 'top');
  const requests: Panel = {
    title: `Requests per ${per}`,
    height: 110,
    yAxis: countAxis,
    series: (axis) => [
      countSeries(
        'requests',
        axis,
        'chart-requests',
        points(merged, (bucket) => bucket.requests),
        windows,
      ),
    ],
  };
  const losses: Panel = {
    title: `Session losses per ${per}`,
    height: 70,
    yAxis: countAxis,
    series: (axis) => [
      countSeries(
        'losses',
        axis,
        'chart-loss',
        points(merged, (bucket) => bucket.losses),
        windowMarks(load, null),
      ),
    ],
  };
  const resumes: Panel = {
    title: `Resumes per ${per}, by verdict`,
    height: 80,
    yAxis: countAxis,
    series: (axis) => verdicts.map((verdict, index) => verdictSeries(verdict, axis, merged, index === 0 ? load : null)),
  };
  const backends = load.backends.slice(0, MAX_BACKENDS);
  const more = load.backends.length > MAX_BACKENDS;
  const instances: Panel = {
    title: more ? `Instances: ${MAX_BACKENDS} of ${formatCount(load.backends.length)}` : 'Instances and their lives',
    height: backends.length * LANE_HEIGHT,
    yAxis: (gridIndex) => backendAxis(backends, gridIndex),
    series: (axis) => [backendLives(backends, axis)],
  };
  return [
    requests,
    ...(load.buckets.some((bucket) => bucket.losses > 0) ? [losses] : []),
    ...(verdicts.length > 0 ? [resumes] : []),
    ...(backends.length > 0 ? [instances] : []),
  ];
}

interface Grid {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly height: number;
}

function stack(panels: readonly Panel[], width: number): { grids: readonly Grid[]; bottom: number } {
  let top = 26;
  const grids = panels.map(({ height }) => {
    const grid = { left: width < WIDE_FROM ? 42 : 56, right: 28, top, height };
    top += height + 36;
    return grid;
  });
  return { grids, bottom: top };
}

function titleAt(text: string, top: number): object {
  return { text, left: 4, top, padding: 0, textStyle: { color: colour('ink'), fontSize: 12, fontWeight: 'bold' } };
}

function legend(verdicts: readonly string[], top: number): object {
  const textStyle = { color: colour('muted'), fontSize: 11 };
  return {
    data: verdicts.map((verdict) => chartText(verdict)),
    top,
    left: 8,
    itemGap: 24,
    itemWidth: 11,
    itemHeight: 11,
    icon: 'rect',
    textStyle,
  };
}

function timeAxis(gridIndex: number, scale: TimeScale, labelled: boolean): object {
  const line = { color: colour('line') };
  return {
    type: 'value',
    gridIndex,
    min: scale.min,
    max: scale.max,
    interval: scale.interval,
    // Bars must not widen the axis: it is the same one in every panel.
    containShape: false,
    axisLine: { lineStyle: line, onZero: false },
    axisTick: { show: labelled, lineStyle: line },
    axisLabel: { show: labelled, color: colour('muted'), fontSize: 11, formatter: (ms: number) => scale.label(ms) },
    splitLine: { show: false },
  };
}

function countAxis(gridIndex: number): object {
  return {
    type: 'value',
    gridIndex,
    min: 0,
    minInterval: 1,
    splitNumber: 3,
    axisLine: { lineStyle: { color: colour('line') } },
    axisTick: { show: false },
    axisLabel: { color: colour('muted'), fontSize: 11, formatter: (value: number) => formatCount(value) },
    splitLine: { lineStyle: { color: colour('line') } },
  };
}

type Points = readonly (readonly [ms: number, count: number])[];

function points({ buckets, bucketMs }: Buckets, pick: (bucket: Buckets['buckets'][number]) => number): Points {
  return buckets.map((bucket) => [Date.parse(bucket.at) + bucketMs / 2, pick(bucket)]);
}

function countSeries(name: string, axis: number, colourName: ColourName, data: Points, markArea: object): object {
  return {
    type: 'bar',
    name,
    xAxisIndex: axis,
    yAxisIndex: axis,
    silent: true,
    barCategoryGap: '10%',
    // In a chart of a few buckets a bar as wide as its bucket looks like a wall.
    barMaxWidth: 16,
    itemStyle: { color: colour(colourName) },
    data,
    markArea,
  };
}

function verdictSeries(verdict: string, axis: number, merged: Buckets, load: LoadChart | null): object {
  const data = points(merged, ({ resumes }) => (Object.hasOwn(resumes, verdict) ? (resumes[verdict] ?? 0) : 0));
  const colourName = VERDICT_COLOURS.get(verdict) ?? 'sx';
  const marks = load === null ? {} : windowMarks(load, null);
  return { ...countSeries(chartText(verdict), axis, colourName, data, marks), stack: 'resumes' };
}

/** Windows with a proven cause; their names stand in the first panel only. */
function windowMarks(load: LoadChart, label: 'top' | 'insideTop' | null): object {
  return {
    silent: true,
    itemStyle: { color: colour('chart-window'), opacity: 0.14 },
    label: {
      show: label !== null,
      color: colour('bad'),
      fontSize: 11,
      fontWeight: 'bold',
      position: label ?? 'top',
      distance: 3,
    },
    data: load.windows
      .slice(0, MAX_WINDOWS)
      .map(({ cause, from, to }) => [
        { name: chartText(causeWords(clip(cause, 40))), xAxis: Date.parse(from) },
        { xAxis: Date.parse(to) },
      ]),
  };
}

function describe(load: LoadChart): string {
  const requests = load.buckets.reduce((sum, bucket) => sum + bucket.requests, 0);
  const losses = load.buckets.reduce((sum, bucket) => sum + bucket.losses, 0);
  const peak = load.buckets.reduce((most, bucket) => (bucket.losses > most.losses ? bucket : most));
  const when = peak.losses === 0 ? '' : ` Most losses, ${formatCount(peak.losses)}, at ${momentOf(peak.at)}.`;
  const windows = load.windows
    .slice(0, 5)
    .map(
      ({ cause, from, to }) =>
        ` ${sentenceCase(causeWords(clip(cause, 40)))} from ${momentOf(from)} to ${momentOf(to)}.`,
    );
  return `${plural(requests, 'request')}, ${plural(losses, 'session loss', 'session losses')}, ${plural(load.backends.length, 'instance')}.${when}${windows.join('')}`;
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function momentOf(at: string): string {
  return `${dayOf(at) ?? ''} ${formatClock(at)}`.trim().replace(/\.000$/, '');
}
