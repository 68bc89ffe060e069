import type { EChartsCoreOption } from 'echarts/core';
import { clip, visible } from '../escape.js';
import type { LoadChart } from '../result-document.js';
import { compareText } from '../summary.js';
import { causeWords, dayOf, formatClock, formatCount, formatDuration, plural } from '../text.js';
import { type ChartSize, type ColourName, colour } from './echarts-svg.js';

type Bucket = LoadChart['buckets'][number];
type Backend = LoadChart['backends'][number];

const MAX_BUCKETS = 200;
const MAX_BACKENDS = 12;
const LANE_HEIGHT = 18;

const VERDICT_COLOURS: Readonly<Record<string, ColourName>> = {
  resumed: 'good',
  'session-gone': 's1',
  refused: 'warn',
  'epoch-merge': 'bad',
  foreign: 's5',
  'replayed-last': 's3',
  'replayed-earlier': 's3',
  gap: 's4',
  unorderable: 's0',
  unproven: 'sx',
  unacknowledged: 'muted',
  unobserved: 'chart-requests',
};

/** A chart ready to be drawn. */
export interface Chart {
  readonly option: EChartsCoreOption;
  readonly size: ChartSize;
  readonly description: string;
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
  const { buckets, bucketMs } = mergeBuckets(load.buckets, load.bucketMs);
  const backends = load.backends.slice(0, MAX_BACKENDS);
  const verdicts = [...new Set(buckets.flatMap(({ resumes }) => Object.keys(resumes)))].sort(compareText);
  const panels = placePanels(width, backends.length, verdicts.length > 0);
  const range = { min: Date.parse(first.at), max: Date.parse(last.at) + load.bucketMs };
  const names = ['requests', 'losses', ...(verdicts.length > 0 ? ['resumes'] : [])];
  const option = {
    textStyle: { fontFamily: 'sans-serif' },
    title: titles(panels.grids, bucketMs, verdicts.length > 0, load.backends.length),
    legend: {
      data: verdicts.map(visible),
      top: panels.legendTop,
      left: 8,
      itemWidth: 11,
      itemHeight: 11,
      icon: 'rect',
      textStyle: { color: colour('muted'), fontSize: 11 },
    },
    grid: panels.grids,
    xAxis: panels.grids.map((_grid, index) => timeAxis(index, range, index === panels.grids.length - 1, width)),
    yAxis: [
      ...names.map((_name, index) => countAxis(index)),
      ...(backends.length > 0 ? [laneAxis(names.length, backends)] : []),
    ],
    series: [
      countSeries(
        'requests',
        0,
        'chart-requests',
        buckets.map(({ at, requests }) => [Date.parse(at) + bucketMs / 2, requests]),
        load,
      ),
      countSeries(
        'losses',
        1,
        'chart-loss',
        buckets.map(({ at, losses }) => [Date.parse(at) + bucketMs / 2, losses]),
        load,
      ),
      ...verdicts.map((verdict, index) => ({
        ...countSeries(
          visible(verdict),
          2,
          VERDICT_COLOURS[verdict] ?? 'sx',
          buckets.map(({ at, resumes }) => [Date.parse(at) + bucketMs / 2, resumes[verdict] ?? 0]),
          index === 0 ? load : NO_WINDOWS,
        ),
        stack: 'resumes',
      })),
      ...(backends.length > 0 ? [lives(backends, names.length)] : []),
    ],
  };
  return { option, size: { width, height: panels.height }, description: describe(load) };
}

/** Adds neighbouring buckets up until at most `MAX_BUCKETS` are left. */
function mergeBuckets(buckets: readonly Bucket[], bucketMs: number): { buckets: readonly Bucket[]; bucketMs: number } {
  const factor = Math.ceil(buckets.length / MAX_BUCKETS);
  if (factor <= 1) return { buckets, bucketMs };
  const merged: Bucket[] = [];
  for (let index = 0; index < buckets.length; index += factor) {
    const group = buckets.slice(index, index + factor);
    const resumes: Record<string, number> = Object.create(null);
    for (const bucket of group) {
      for (const [verdict, count] of Object.entries(bucket.resumes)) resumes[verdict] = (resumes[verdict] ?? 0) + count;
    }
    merged.push({
      at: group[0]?.at ?? '',
      requests: group.reduce((sum, { requests }) => sum + requests, 0),
      losses: group.reduce((sum, { losses }) => sum + losses, 0),
      resumes,
    });
  }
  return { buckets: merged, bucketMs: bucketMs * factor };
}

interface Grid {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly height: number;
}

function placePanels(
  width: number,
  backends: number,
  hasResumes: boolean,
): { grids: readonly Grid[]; height: number; legendTop: number } {
  const heights = [110, 70, ...(hasResumes ? [80] : []), ...(backends > 0 ? [backends * LANE_HEIGHT] : [])];
  const left = width < 500 ? 40 : 56;
  let top = 26;
  const grids = heights.map((height) => {
    const grid = { left, right: 14, top, height };
    top += height + 34;
    return grid;
  });
  const legendTop = top;
  return { grids, legendTop, height: top + (hasResumes ? (width < 500 ? 60 : 26) : 0) };
}

function titles(grids: readonly Grid[], bucketMs: number, hasResumes: boolean, backends: number): readonly object[] {
  const per = formatDuration(bucketMs);
  const texts = [
    `Requests per ${per}`,
    `Session losses per ${per}`,
    ...(hasResumes ? [`Resumes per ${per}, by verdict`] : []),
    backends > MAX_BACKENDS
      ? `Instances: the first ${MAX_BACKENDS} of ${formatCount(backends)}`
      : 'Instances and their lives',
  ];
  return grids.map((grid, index) => ({
    text: texts[index] ?? '',
    left: 4,
    top: grid.top - 22,
    padding: 0,
    textStyle: { color: colour('ink'), fontSize: 12, fontWeight: 'bold' },
  }));
}

function timeAxis(gridIndex: number, range: { min: number; max: number }, labelled: boolean, width: number): object {
  return {
    type: 'time',
    gridIndex,
    ...range,
    splitNumber: width < 500 ? 3 : 8,
    axisLine: { lineStyle: { color: colour('line') }, onZero: false },
    axisTick: { show: labelled, lineStyle: { color: colour('line') } },
    axisLabel: {
      show: labelled,
      color: colour('muted'),
      fontSize: 11,
      hideOverlap: true,
      formatter: (value: number) => axisTime(value, range),
    },
    splitLine: { show: false },
  };
}

function axisTime(value: number, range: { min: number; max: number }): string {
  const at = new Date(value).toISOString();
  const span = range.max - range.min;
  if (span > 3 * 86_400_000) return at.slice(5, 10);
  if (span > 86_400_000) return `${at.slice(5, 10)} ${at.slice(11, 16)}`;
  return span > 600_000 ? at.slice(11, 16) : at.slice(11, 19);
}

function countAxis(gridIndex: number): object {
  return {
    type: 'value',
    gridIndex,
    min: 0,
    minInterval: 1,
    splitNumber: 3,
    axisLabel: { color: colour('muted'), fontSize: 11, formatter: (value: number) => formatCount(value) },
    splitLine: { lineStyle: { color: colour('line') } },
  };
}

function laneAxis(gridIndex: number, backends: readonly Backend[]): object {
  return {
    type: 'category',
    gridIndex,
    inverse: true,
    data: backends.map((_backend, index) => String(index)),
    axisLabel: { show: false },
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colour('line') } },
  };
}

const NO_WINDOWS: Pick<LoadChart, 'windows'> = { windows: [] };

function countSeries(
  name: string,
  axis: number,
  colourName: ColourName,
  data: readonly (readonly number[])[],
  { windows }: Pick<LoadChart, 'windows'>,
): object {
  return {
    type: 'bar',
    name,
    xAxisIndex: axis,
    yAxisIndex: axis,
    silent: true,
    barCategoryGap: '10%',
    // In a chart of a few buckets a bar as wide as its bucket looks like a wall.
    barMaxWidth: 16,
    barMinHeight: 0,
    itemStyle: { color: colour(colourName) },
    data,
    markArea: {
      silent: true,
      itemStyle: { color: colour('chart-window'), opacity: 0.14 },
      label: { color: colour('bad'), fontSize: 11, fontWeight: 'bold', position: 'insideTop' },
      data: windows
        .slice(0, 20)
        .map(({ cause, from, to }) => [
          { name: axis === 0 ? visible(clip(causeWords(cause), 40)) : '', xAxis: Date.parse(from) },
          { xAxis: Date.parse(to) },
        ]),
    },
  };
}

/** A bar per instance from its first to its last answer, its name inside or beside it. */
function lives(backends: readonly Backend[], axis: number): object {
  return {
    type: 'custom',
    xAxisIndex: axis,
    yAxisIndex: axis,
    silent: true,
    data: backends.map(({ from, to }, index) => [Date.parse(from), Date.parse(to), index]),
    encode: { x: [0, 1], y: 2 },
    renderItem: (_parameters: unknown, api: LaneApi) => {
      const index = api.value(2);
      const start = api.coord([api.value(0), index]);
      const end = api.coord([api.value(1), index]);
      const x = start[0] ?? 0;
      const y = start[1] ?? 0;
      const width = Math.max(3, (end[0] ?? 0) - x);
      return {
        type: 'group',
        children: [
          {
            type: 'rect',
            shape: { x, y: y - 6, width, height: 12, r: 3 },
            style: { fill: colour('s0'), opacity: 0.35 },
          },
          {
            type: 'text',
            style: {
              text: visible(clip(backends[index]?.backend ?? '', 60)),
              x: x + 5,
              y,
              textVerticalAlign: 'middle',
              fill: colour('ink'),
              fontSize: 10,
            },
          },
        ],
      };
    },
  };
}

interface LaneApi {
  value(dimension: number): number;
  coord(point: readonly number[]): readonly number[];
}

function describe(load: LoadChart): string {
  const requests = load.buckets.reduce((sum, bucket) => sum + bucket.requests, 0);
  const losses = load.buckets.reduce((sum, bucket) => sum + bucket.losses, 0);
  const peak = load.buckets.reduce((most, bucket) => (bucket.losses > most.losses ? bucket : most));
  const when = peak.losses === 0 ? '' : ` Most losses, ${formatCount(peak.losses)}, at ${momentOf(peak.at)}.`;
  const windows = load.windows.map(
    ({ cause, from, to }) => ` ${causeWords(clip(cause, 40))} from ${momentOf(from)} to ${momentOf(to)}.`,
  );
  return `${plural(requests, 'request')}, ${plural(losses, 'session loss', 'session losses')}, ${plural(load.backends.length, 'instance')}.${when}${windows.slice(0, 5).join('')}`;
}

function momentOf(at: string): string {
  return `${dayOf(at) ?? ''} ${formatClock(at)}`.trim();
}
