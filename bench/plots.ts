import { describeMachine } from './machine.ts';
import type { Line, Point, Series } from './results.ts';
import { linePlot, logLogPlots, type LogLogPanel } from './svg.ts';

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
