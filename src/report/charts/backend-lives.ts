import type { LoadChart } from '../result-document.js';
import { chartText, colour } from './echarts-svg.js';

type Backend = LoadChart['backends'][number];

/** The part of ECharts' custom series API (`renderItem`) that is used here. */
interface LaneApi {
  value(dimension: number): number;
  coord(point: readonly number[]): readonly number[];
}

/** A series with a bar per instance from its first to its last answer and its name on it. */
export function backendLives(backends: readonly Backend[], axis: number): object {
  return {
    type: 'custom',
    xAxisIndex: axis,
    yAxisIndex: axis,
    silent: true,
    data: backends.map(({ from, to }, index) => [Date.parse(from), Date.parse(to), index]),
    encode: { x: [0, 1], y: 2 },
    renderItem: (_parameters: unknown, api: LaneApi) => {
      const index = api.value(2);
      const [startX = 0, y = 0] = api.coord([api.value(0), index]);
      const [endX = 0] = api.coord([api.value(1), index]);
      const bar = { x: startX, y: y - 6, width: Math.max(3, endX - startX), height: 12, r: 3 };
      const name = chartText(backends[index]?.backend ?? '');
      return {
        type: 'group',
        children: [
          { type: 'rect', shape: bar, style: { fill: colour('s0'), opacity: 0.35 } },
          {
            type: 'text',
            style: { text: name, x: startX + 5, y, textVerticalAlign: 'middle', fill: colour('ink'), fontSize: 10 },
          },
        ],
      };
    },
  };
}

/** One lane per instance, from top to bottom. */
export function backendAxis(backends: readonly Backend[], gridIndex: number): object {
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
