import { describeMachine } from './machine.ts';
import { figuresOf, type Result } from './report.ts';
import type { Line, Point, Series } from './results.ts';
import { barPlot, linePlot, logLogPlots, type LogLogPanel } from './svg.ts';
import { titleOf } from './titles.ts';

/** Plots of time and memory over the size of the work, by file name; none for subjects without measurements. */
export function scaleSvgs(lines: readonly Line[]): Readonly<Record<string, string>> {
  const points = lines.filter((line): line is Line & Point => line.kind === 'point');
  const [first] = points;
  if (!first) return {};
  const caption = `${describeMachine(first.machine)}, ${first.run.slice(0, 10)}`;
  const panels = (valuesOf: (point: Point) => readonly number[], unit: string): readonly LogLogPanel[] =>
    [...new Set(points.map(({ subject }) => subject))].map((subject) => {
      const own = points.filter((point) => point.subject === subject);
      return {
        title: own[0]?.work ?? subject,
        x: subject,
        y: unit,
        points: own.map((point) => ({ x: point.size, values: valuesOf(point) })),
      };
    });
  return {
    'scale-time.svg': logLogPlots(
      'Time at 1x, 10x and 100x the work',
      panels(({ seconds }) => seconds, 'seconds'),
      caption,
    ),
    'scale-memory.svg': logLogPlots(
      'Peak memory at 1x, 10x and 100x the work',
      panels(({ megabytes }) => megabytes, 'MB'),
      caption,
    ),
  };
}

/** Memory of each process over the day. */
export function daySvg(lines: readonly Line[]): Readonly<Record<string, string>> {
  const series = lines.filter((line): line is Line & Series => line.kind === 'series');
  const [first] = series;
  if (!first) return {};
  const caption = `${describeMachine(first.machine)}, ${first.run.slice(0, 10)}`;
  return { 'day-memory.svg': linePlot('Memory over the day of a call center', series, caption) };
}

/** The benchmarks of waits that a user or maintainer notices. */
const waits = new Set(['startup', 'nodes', 'executable', 'live', 'embedded', 'screen', 'checkout']);

/** Each wait as a share of its goal, without comparisons with other programs. */
export function waitsSvg(lines: readonly Line[]): Readonly<Record<string, string>> {
  const results = lines.filter(
    (line): line is Line & { readonly kind: 'result' } =>
      line.kind === 'result' && waits.has(line.benchmark) && !line.name.includes('of that of peer'),
  );
  const [first] = results;
  if (!first) return {};
  const bars = results.map((one) => ({
    label: shortTitle(titleOf(one.benchmark, one.name)),
    value: shareOf(one),
    note: figuresOf(one),
  }));
  const caption = `bars: result relative to the goal, figures: median (minimum to maximum) · ${describeMachine(first.machine)}, ${first.run.slice(0, 10)}`;
  return { 'waits.svg': barPlot('Waits, relative to their goals', bars, caption) };
}

function shareOf({ value, goal, sense }: Result): number {
  return Math.max(0, sense === 'at most' ? value / goal : goal / value);
}

/** The title without the parts that all bars of a benchmark share. */
function shortTitle(title: string): string {
  return title
    .replaceAll('`', '')
    .replace(/(: |, )(processor time|relative to|additional time).*$/, '')
    .replace(/ events per second/, '/s');
}
