import { spread } from './measure.ts';
import type { Series } from './results.ts';

export interface LogLogPanel {
  readonly title: string;
  /** The unit of the size, and the unit of the value. */
  readonly x: string;
  readonly y: string;
  readonly points: readonly { readonly x: number; readonly values: readonly number[] }[];
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
type Scale = (value: number) => number;

const ink = '#24292f';
const quiet = '#6e7781';
const grid = '#d8dee4';
const colours = ['#0969da', '#bc4c00', '#1a7f37', '#8250df', '#cf222e', '#57606a'];
const panel = { width: 400, height: 290 };
const margin = { left: 58, right: 18, top: 40, bottom: 50 };

/** Small multiples, two in a row, both axes logarithmic; a dashed line shows linear growth from the first point. */
export function logLogPlots(title: string, panels: readonly LogLogPanel[], caption: string): string {
  const rows = Math.ceil(panels.length / 2);
  const [width, height] = [panel.width * 2 + 20, 50 + rows * panel.height + 42];
  const drawn = panels.map((one, at) =>
    logLogPanel(one, {
      left: 10 + (at % 2) * panel.width,
      top: 50 + Math.floor(at / 2) * panel.height,
      ...panel,
    }),
  );
  const legend = `dots: medians, bars: minimum to maximum, dashed: linear growth from the first dot · ${caption}`;
  return page(width, height, title, drawn.join(''), legend);
}

function logLogPanel({ title, x, y, points }: LogLogPanel, outer: Box): string {
  const box = inner(outer);
  const sizes = points.map((point) => point.x);
  const all = points.flatMap(({ values }) => values);
  const [firstSize = 1, lastSize = 1] = [sizes[0], sizes.at(-1)];
  const first = median(points[0]?.values ?? []);
  const toX = logScale([firstSize / 1.6, lastSize * 1.6], [box.left, box.left + box.width]);
  const range = [Math.min(...all) / 1.5, Math.max(...all) * 1.8] as const;
  const toY = logScale(range, [box.top + box.height, box.top]);
  const colour = colours[0] ?? ink;
  // The extent of the panel.
  const end = Math.min(lastSize, (firstSize * range[1]) / first);
  const marks = points.map((point, index) => {
    const [at, low, high] = [toX(point.x), toY(Math.min(...point.values)), toY(Math.max(...point.values))];
    const value = median(point.values);
    return (
      line([at, low], [at, high], colour, 'stroke-width="1.5"') +
      `<circle cx="${n(at)}" cy="${n(toY(value))}" r="4" fill="${colour}"/>` +
      // The label of the first point is below it, because the dashed line starts there.
      text(at, index === 0 ? low + 18 : high - 8, short(value), 'middle', ink)
    );
  });
  const path = points.map((point) => `${n(toX(point.x))},${n(toY(median(point.values)))}`).join(' ');
  return [
    text(box.left, outer.top + 22, title, 'start', ink, 'font-weight="600"'),
    ...logTicks(range).map((tick) => horizontalTick(box, toY(tick), short(tick))),
    ...sizes.map(
      (size) =>
        line([toX(size), box.top], [toX(size), box.top + box.height], grid) +
        text(toX(size), box.top + box.height + 16, size.toLocaleString('en-US'), 'middle', quiet),
    ),
    outline(box),
    text(box.left + box.width / 2, box.top + box.height + 34, x, 'middle', quiet),
    sideways(outer.left + 12, box.top + box.height / 2, y),
    line(
      [toX(firstSize), toY(first)],
      [toX(end), toY((first * end) / firstSize)],
      quiet,
      'stroke-dasharray="5 4"',
    ),
    `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
    ...marks,
  ].join('');
}

/** Lines over minutes from zero, with labels at their ends. */
export function linePlot(title: string, series: readonly Series[], caption: string): string {
  const [width, height] = [820, 420];
  const box = { left: 68, top: 60, width: 560, height: 268 };
  const seconds = series.flatMap(({ samples }) => samples.map(([at]) => at));
  const values = series.flatMap(({ samples }) => samples.map(([, megabytes]) => megabytes));
  const toX = linearScale([0, Math.max(...seconds)], [box.left, box.left + box.width]);
  const top = Math.max(...values) * 1.1;
  const toY = linearScale([0, top], [box.top + box.height, box.top]);
  const names = spreadApart(series.map(({ samples }) => toY(samples.at(-1)?.[1] ?? 0)));
  const drawn = series.map(({ name, samples }, at) => {
    const colour = colours[at % colours.length] ?? ink;
    const points = samples.map(([second, megabytes]) => `${n(toX(second))},${n(toY(megabytes))}`).join(' ');
    return (
      `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="1.5"/>` +
      text(box.left + box.width + 10, (names[at] ?? 0) + 4, name, 'start', colour)
    );
  });
  const body = [
    ...linearTicks(top).map((tick) => horizontalTick(box, toY(tick), short(tick))),
    ...linearTicks(Math.max(...seconds) / 60).map((tick) =>
      text(toX(tick * 60), box.top + box.height + 16, short(tick), 'middle', quiet),
    ),
    outline(box),
    text(box.left + box.width / 2, box.top + box.height + 34, 'minutes', 'middle', quiet),
    sideways(20, box.top + box.height / 2, 'MB'),
    ...drawn,
  ];
  return page(width, height, title, body.join(''), caption);
}

/** A bar for each row; a line at 1 is the limit. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The figures next to the bar. */
  readonly note: string;
}

/** Horizontal bars with labels on their left. Bars beyond the line at 1 have another colour. */
export function barPlot(title: string, bars: readonly Bar[], caption: string): string {
  const height = 22;
  const box = { left: 450, top: 50, width: 330, height: bars.length * height };
  const most = Math.max(1.2, ...bars.map(({ value }) => value));
  const toX = linearScale([0, most], [box.left, box.left + box.width]);
  const drawn = bars.map(({ label, value, note }, index) => {
    const middle = box.top + (index + 0.5) * height;
    const colour = colours[value > 1 ? 1 : 0] ?? ink;
    return (
      text(box.left - 10, middle + 4, label, 'end', ink) +
      `<rect x="${n(box.left)}" y="${n(middle - 7)}" width="${n(toX(value) - box.left)}" height="14" fill="${colour}"/>` +
      text(box.left + box.width + 12, middle + 4, note, 'start', quiet)
    );
  });
  const goal = line([toX(1), box.top], [toX(1), box.top + box.height], ink, 'stroke-dasharray="5 4"');
  const end = box.top + box.height + 18;
  const body = [...drawn, goal, text(toX(1), end, 'goal', 'middle', ink)];
  return page(1000, end + 36, title, body.join(''), caption);
}

/** Moves labels so that they are a line apart and stay in order. */
function spreadApart(wanted: readonly number[]): readonly number[] {
  const order = wanted.map((y, at) => ({ y, at })).toSorted((a, b) => a.y - b.y);
  const placed = wanted.map(() => 0);
  let last = Number.NEGATIVE_INFINITY;
  for (const { y, at } of order) {
    last = Math.max(y, last + 16);
    placed[at] = last;
  }
  return placed;
}

function page(width: number, height: number, title: string, body: string, caption: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12">` +
    `<title>${escaped(title)}</title><rect width="${width}" height="${height}" fill="#ffffff"/>` +
    text(20, 30, title, 'start', ink, 'font-size="17" font-weight="600"') +
    body +
    text(20, height - 16, caption, 'start', quiet, 'font-size="11"') +
    '</svg>\n'
  );
}

function inner({ left, top, width, height }: Box): Box {
  return {
    left: left + margin.left,
    top: top + margin.top,
    width: width - margin.left - margin.right,
    height: height - margin.top - margin.bottom,
  };
}

function logScale([low, high]: readonly [number, number], [from, to]: readonly [number, number]): Scale {
  const span = Math.log(high / low);
  return (value) => from + ((to - from) * Math.log(value / low)) / span;
}

function linearScale([low, high]: readonly [number, number], [from, to]: readonly [number, number]): Scale {
  return (value) => from + ((to - from) * (value - low)) / (high - low || 1);
}

/** 1, 2 and 5 of every decade, or only the decades when there are many. */
function logTicks([low, high]: readonly [number, number]): readonly number[] {
  const decades = Math.log10(high / low);
  const steps = decades > 2 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const step of steps) ticks.push(step * 10 ** power);
  }
  return ticks.filter((tick) => tick >= low && tick <= high);
}

function linearTicks(high: number): readonly number[] {
  const rough = high / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, index) => index * step);
}

const median = (values: readonly number[]): number => spread(values).median;

function horizontalTick(box: Box, y: number, label: string): string {
  return (
    line([box.left, y], [box.left + box.width, y], grid) + text(box.left - 8, y + 4, label, 'end', quiet)
  );
}

function outline({ left, top, width, height }: Box): string {
  return `<rect x="${n(left)}" y="${n(top)}" width="${n(width)}" height="${n(height)}" fill="none" stroke="${quiet}" stroke-width="0.75"/>`;
}

function sideways(x: number, y: number, label: string): string {
  return `<text transform="translate(${n(x)} ${n(y)}) rotate(-90)" text-anchor="middle" fill="${quiet}">${escaped(label)}</text>`;
}

function line(
  from: readonly [number, number],
  to: readonly [number, number],
  colour: string,
  more = '',
): string {
  return `<line x1="${n(from[0])}" y1="${n(from[1])}" x2="${n(to[0])}" y2="${n(to[1])}" stroke="${colour}" ${more}/>`;
}

function text(
  x: number,
  y: number,
  words: string,
  anchor: 'start' | 'middle' | 'end',
  colour: string,
  more = '',
): string {
  return `<text x="${n(x)}" y="${n(y)}" text-anchor="${anchor}" fill="${colour}" ${more}>${escaped(words)}</text>`;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function short(value: number): string {
  return String(Number(value.toPrecision(value >= 100 ? 3 : 2)));
}

function n(value: number): string {
  return String(Number(value.toFixed(1)));
}
