import { escapeHtml } from './escape-html.ts';

/** One value of a chart; its name and value are shown when pointed at. */
export interface ChartPoint {
  readonly name: string;
  readonly value: number;
}

const height = 100;

/** Bars beside each other, stretched to the width there is; `top` is the value at full height. Labels are text around it. */
export function barChart(points: readonly ChartPoint[], top: number, title: string): string {
  const bars = points.map(({ name, value }, index) => {
    const tall = (value / top) * height;
    return `<rect class="bar" x="${index * 10 + 1}" y="${round(height - tall)}" width="8" height="${round(tall)}"><title>${tip(name, value)}</title></rect>`;
  });
  return svg(points.length * 10, bars.join(''), title, 'preserveAspectRatio="none"');
}

/** A line over a filled area; `top` is the value at full height. */
export function areaChart(points: readonly ChartPoint[], top: number, title: string): string {
  const width = Math.max(1, points.length - 1) * 10;
  const line = points.map(
    ({ value }, index) =>
      `${round(points.length === 1 ? width / 2 : index * 10)},${round(height - (value / top) * height)}`,
  );
  const spots = points.map(
    ({ name, value }, index) =>
      `<rect x="${index * 10 - 5}" y="0" width="10" height="${height}" fill="transparent"><title>${tip(name, value)}</title></rect>`,
  );
  const shapes = `<polygon class="area" points="0,${height} ${line.join(' ')} ${width},${height}"/><polyline class="stroke" points="${line.join(' ')}"/>`;
  return svg(width, shapes + spots.join(''), title, 'preserveAspectRatio="none"');
}

/** Values beside an axis, from 0 on in even steps of 1, 2 or 5 times a power of ten; the last is at or above `most`. */
export function axisValues(most: number): readonly number[] {
  const rough = Math.max(1, most) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10));
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Rows of cells, the fuller the stronger. */
export function heatChart(rows: readonly (readonly number[])[], title: string): string {
  const most = Math.max(1, ...rows.flat());
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const cells = rows.flatMap((row, y) =>
    row.map(
      (value, x) =>
        `<rect class="cell" x="${x * 10}" y="${y * 10}" width="9" height="9" fill-opacity="${round(0.06 + (value / most) * 0.94)}"><title>${tip(`${x}:00`, value)}</title></rect>`,
    ),
  );
  return `<svg class="heat" role="img" aria-label="${escapeHtml(title)}" viewBox="0 0 ${columns * 10} ${rows.length * 10}" preserveAspectRatio="none">${cells.join('')}</svg>`;
}

function svg(width: number, shapes: string, title: string, more: string): string {
  return `<svg role="img" aria-label="${escapeHtml(title)}" viewBox="0 0 ${width} ${height}" ${more}>${shapes}</svg>`;
}

function tip(name: string, value: number): string {
  return escapeHtml(`${name}: ${value}`);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
