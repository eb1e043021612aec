import { BarChart, HeatmapChart, LineChart } from 'echarts/charts';
import type { BarSeriesOption, HeatmapSeriesOption, LineSeriesOption } from 'echarts/charts';
import { GridComponent, VisualMapComponent } from 'echarts/components';
import type { GridComponentOption, VisualMapComponentOption } from 'echarts/components';
import { init, use, type ComposeOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { escapeHtml } from './escape-html.ts';

use([BarChart, HeatmapChart, LineChart, GridComponent, VisualMapComponent, SVGRenderer]);

/** The options of a chart. */
export type ChartOption = ComposeOption<
  BarSeriesOption | HeatmapSeriesOption | LineSeriesOption | GridComponentOption | VisualMapComponentOption
>;

/** Size and tooltips of one drawing of a chart. */
export interface Drawing {
  /** Width in user units of the SVG. The page scales the chart to the available width. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Tooltips of the marks, in the order of the data. */
  readonly tips: readonly string[];
}

/**
 * Draws a chart of one series as SVG for HTML. The text is reproducible and contains no URL. Marks have the class
 * `mark` and a title (docs/adr/0020-echarts.md).
 */
export function drawn(option: ChartOption, { width, height, title, tips }: Drawing): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({ animation: false, ...option });
    return inlined(chart.renderToSVGString(), title, tips);
  } finally {
    // Without `dispose`, a timer of the chart would keep the process running.
    chart.dispose();
  }
}

/** Adds titles and removes namespaces, styles, classes and clipping, whose generated names differ in each run. */
function inlined(svg: string, title: string, tips: readonly string[]): string {
  return svg
    .replaceAll(/<(style|defs)[^]*?<\/\1>\n?/g, '')
    .replaceAll(/ (?:class|clip-path|xmlns(?::xlink)?|version|baseProfile|pointer-events)="[^"]*"/g, '')
    .replaceAll(
      / ecmeta_series_index="\d+" ecmeta_data_index="(\d+)"[^>]*>/g,
      (_, index: string) => ` class="mark"><title>${escapeHtml(tips[Number(index)] ?? '')}</title>`,
    )
    .replace('<svg ', `<svg role="img" aria-label="${escapeHtml(title)}" `)
    .trim();
}
