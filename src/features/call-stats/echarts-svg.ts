import { BarChart, HeatmapChart, LineChart } from 'echarts/charts';
import type { BarSeriesOption, HeatmapSeriesOption, LineSeriesOption } from 'echarts/charts';
import { GridComponent, VisualMapComponent } from 'echarts/components';
import type { GridComponentOption, VisualMapComponentOption } from 'echarts/components';
import { init, use, type ComposeOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { escapeHtml } from './escape-html.ts';

use([BarChart, HeatmapChart, LineChart, GridComponent, VisualMapComponent, SVGRenderer]);

/** What echarts is told to draw. */
export type ChartOption = ComposeOption<
  BarSeriesOption | HeatmapSeriesOption | LineSeriesOption | GridComponentOption | VisualMapComponentOption
>;

/** One drawing of a chart. */
export interface Drawing {
  /** Of the user's units; the page stretches it to the width there is. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** What is shown when a mark is pointed at, in the order of the data. */
  readonly tips: readonly string[];
}

/**
 * A chart of one series as SVG inside HTML. The same chart is the same text each time, and no address stands in it; marks have the class `mark` and
 * a title (docs/adr/0020-echarts.md).
 */
export function drawn(option: ChartOption, { width, height, title, tips }: Drawing): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({ animation: false, ...option });
    return inlined(chart.renderToSVGString(), title, tips);
  } finally {
    // Its clock would keep the process.
    chart.dispose();
  }
}

/** Without styles, classes and clipping (their names are counted through the process) and name spaces; with titles. */
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
