import type { EChartsCoreOption } from 'echarts/core';
import { clip, escapeXml, visible } from '../escape.js';

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

export interface ChartNames {
  /** Unique in the page; ASCII letters, digits and dashes. */
  readonly id: string;
  readonly title: string;
  /** The chart in a sentence, for screen readers. */
  readonly description: string;
}

/** Draws one chart; see `loadCharts`. */
export type DrawChart = (option: EChartsCoreOption, size: ChartSize, names: ChartNames) => string;

/**
 * Loads ECharts and returns a function that draws an option as an `<svg>` element: server side, without animation,
 * script, style or anything that differs from run to run.
 */
export async function loadCharts(): Promise<DrawChart> {
  const [core, charts, components, renderers] = await Promise.all([
    import('echarts/core'),
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/renderers'),
  ]);
  core.use([
    charts.BarChart,
    charts.CustomChart,
    components.GridComponent,
    components.MarkAreaComponent,
    components.MarkLineComponent,
    components.LegendComponent,
    components.TitleComponent,
    renderers.SVGRenderer,
  ]);
  return (option, size, names) => {
    const chart = core.init(null, null, { renderer: 'svg', ssr: true, ...size });
    try {
      chart.setOption({ animation: false, useUTC: true, ...option });
      return settle(chart.renderToSVGString(), names);
    } finally {
      chart.dispose();
    }
  };
}

/**
 * ECharts knows colours only, no variables: each colour of a report's charts is a stand-in that `settle` replaces by
 * the CSS variable, so that one chart suits dark and light.
 */
const COLOUR_NAMES = [
  'ink',
  'muted',
  'line',
  'paper',
  'bad',
  'warn',
  'good',
  's0',
  's1',
  's2',
  's3',
  's4',
  's5',
  'sx',
  'chart-requests',
  'chart-loss',
  'chart-window',
] as const;
export type ColourName = (typeof COLOUR_NAMES)[number];

export function colour(name: ColourName): string {
  return `#0a0b${(0x10 + COLOUR_NAMES.indexOf(name)).toString(16)}`;
}

/**
 * Text for a chart. The library keeps texts and names as keys of plain objects: `__proto__` as a name would change
 * every object of the process.
 */
export function chartText(text: string, limit = 60): string {
  const shown = visible(clip(text, limit));
  return shown in Object.prototype ? `“${shown}”` : shown;
}

function settle(svg: string, names: ChartNames): string {
  const open = `<svg class="chart" role="img" aria-labelledby="${names.id}-t ${names.id}-d"`;
  const label = `<title id="${names.id}-t">${escapeXml(names.title)}</title><desc id="${names.id}-d">${escapeXml(names.description)}</desc>`;
  return (
    svg
      .replace(/<style[^>]*>[\s\S]*?<\/style>/g, '')
      .replace(/ (?:class|pointer-events|baseProfile|version|xmlns:xlink|ecmeta_[a-z_]+)="[^"]*"/g, '')
      // A strict Content-Security-Policy refuses style attributes.
      .replace(/ style="([^"]*)"/g, (_match, style: string) => fontAttributes(style))
      // The library numbers its charts, and a page must not depend on how many were drawn before it.
      .replace(/zr\d+-/g, `${names.id}-`)
      .replace(/#0a0b([0-9a-f]{2})/g, (match, index: string) => {
        const name = COLOUR_NAMES[Number.parseInt(index, 16) - 0x10];
        return name === undefined ? match : `var(--${name})`;
      })
      .replace('<svg', () => open)
      .replace('>', () => `>${label}`)
      .replace(/\n+/g, '\n')
      .trim()
  );
}

function fontAttributes(style: string): string {
  const size = /(\d+)px/.exec(style)?.[1];
  const weight = /bold/.test(style) ? ' font-weight="600"' : '';
  return size === undefined ? '' : ` font-size="${size}"${weight}`;
}
