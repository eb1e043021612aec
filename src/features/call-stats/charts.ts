import type { CallStats } from './stats.ts';
import { drawn, type ChartOption, type Drawing } from './echarts-svg.ts';

/** Number of color steps of the heat map above zero. The page defines the colors `--heat-0` to `--heat-5`. */
export const heatSteps = 5;

/** Sizes of a chart for three window widths. The page shows the drawing whose text has a readable size. */
interface Sizes {
  readonly narrow: Size;
  readonly middle: Size;
  readonly broad: Size;
}

interface Size extends Pick<Drawing, 'width' | 'height'> {
  /** Font size, in user units of the SVG. */
  readonly text: number;
}

/** Sizes of a chart that shares its row with another chart on wide screens. */
const half: Sizes = {
  narrow: { width: 320, height: 190, text: 12 },
  middle: { width: 620, height: 220, text: 13 },
  broad: { width: 480, height: 200, text: 13 },
};
const full: Sizes = {
  narrow: { width: 320, height: 200, text: 12 },
  middle: { width: 620, height: 220, text: 13 },
  broad: { width: 1000, height: 250, text: 13 },
};

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Returns a bar chart of calls by hour of the day. */
export function hourChart({ byHour }: CallStats): string {
  const tips = byHour.map(({ hour, calls }) => `${hour}:00: ${calls}`);
  return inAll(half, 'Calls by hour', tips, (size) => ({
    ...plot(size),
    xAxis: {
      ...axis(size),
      type: 'category',
      data: byHour.map(({ hour }) => String(hour)),
      axisLabel: { ...label(size), interval: (index: number) => index % 3 === 0 },
    },
    series: {
      ...still,
      type: 'bar',
      barCategoryGap: '20%',
      itemStyle: { color: 'var(--mark)', borderRadius: [2, 2, 0, 0] },
      data: byHour.map(({ calls }) => calls),
    },
  }));
}

/** Returns an area chart of calls by day. */
export function dayChart({ byDay }: CallStats): string {
  if (byDay.length === 0) return '<p>No calls.</p>';
  const tips = byDay.map(({ day, calls }) => `${day}: ${calls}`);
  return inAll(half, 'Calls by day', tips, (size) => ({
    ...plot(size),
    xAxis: {
      ...axis(size),
      type: 'category',
      boundaryGap: false,
      data: byDay.map(({ day }) => day),
      axisLabel: { ...label(size), ...someOf(byDay.length, size) },
    },
    series: {
      ...still,
      type: 'line',
      lineStyle: { color: 'var(--mark)', width: 2 },
      areaStyle: { color: 'var(--mark)', opacity: 0.2 },
      showAllSymbol: true,
      symbol: 'circle',
      symbolSize: byDay.length > 40 ? 3 : 6,
      itemStyle: { color: 'var(--mark)' },
      data: byDay.map(({ calls }) => calls),
    },
  }));
}

/** Returns a heat map of calls by weekday and hour. */
export function heatChart({ byWeekdayAndHour }: CallStats): string {
  const most = Math.max(1, ...byWeekdayAndHour.flat());
  const cells = byWeekdayAndHour.flatMap((row, day) => row.map((calls, hour) => ({ day, hour, calls })));
  const tips = cells.map(({ day, hour, calls }) => `${weekdays[day]} ${hour}:00: ${calls}`);
  return inAll(full, 'Calls by weekday and hour', tips, (size) => ({
    grid,
    xAxis: {
      ...axis(size),
      type: 'category',
      data: Array.from({ length: 24 }, (_, hour) => String(hour)),
      axisLine: { show: false },
      axisLabel: { ...label(size), interval: (index: number) => index % 3 === 0 },
    },
    yAxis: { ...axis(size), type: 'category', inverse: true, data: weekdays, axisLine: { show: false } },
    // The chart library requires a visual map, which defines the colors of the cells.
    visualMap: { show: false, type: 'piecewise', pieces: heatPieces(most) },
    series: {
      ...still,
      type: 'heatmap',
      itemStyle: { borderColor: 'var(--panel)', borderWidth: 1 },
      data: cells.map(({ day, hour, calls }) => [hour, day, calls]),
    },
  }));
}

function heatPieces(most: number): { value?: number; gt?: number; lte?: number; color: string }[] {
  const steps = Array.from({ length: heatSteps }, (_, step) => ({
    gt: (step / heatSteps) * most,
    lte: ((step + 1) / heatSteps) * most,
    color: `var(--heat-${step + 1})`,
  }));
  return [{ value: 0, color: 'var(--heat-0)' }, ...steps];
}

/** Disables animation and interaction, because the page has no script. */
const still = { silent: true, emphasis: { disabled: true } } as const;

const grid = { left: 2, right: 4, top: 10, bottom: 2, outerBoundsMode: 'same' } as const;

function plot(size: Size): Pick<ChartOption, 'grid' | 'yAxis'> {
  return {
    grid,
    yAxis: {
      type: 'value',
      minInterval: 1,
      splitNumber: 4,
      // Like all numbers of the page, the labels have no thousands separators.
      axisLabel: { ...label(size), formatter: String },
      splitLine: { lineStyle: { color: 'var(--line)' } },
    },
  };
}

function axis(size: Size) {
  return {
    axisLabel: label(size),
    axisLine: { lineStyle: { color: 'var(--line)' } },
    axisTick: { show: false },
  } as const;
}

/**
 * Evenly spaced labels, as many as fit. The first and the last label are aligned with the ends of the axis. A single
 * label is below its mark.
 */
function someOf(points: number, { width }: Size) {
  if (points < 2) return {};
  const gaps = Math.min(points - 1, width < 400 ? 2 : 3);
  const shown = new Set(
    Array.from({ length: gaps + 1 }, (_, gap) => Math.round((gap * (points - 1)) / gaps)),
  );
  return {
    interval: (index: number) => shown.has(index),
    alignMinLabel: 'left',
    alignMaxLabel: 'right',
  } as const;
}

function label({ text }: Size) {
  return { color: 'var(--dim)', fontFamily: 'inherit', fontSize: text } as const;
}

function inAll(
  sizes: Sizes,
  title: string,
  tips: readonly string[],
  option: (size: Size) => ChartOption,
): string {
  return (['narrow', 'middle', 'broad'] as const)
    .map(
      (name) => `<div class="${name}">${drawn(option(sizes[name]), { ...sizes[name], title, tips })}</div>`,
    )
    .join('\n');
}
