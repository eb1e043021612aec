import { expect, it } from 'vitest';
import { fullRunFiles, lastRuns, readLines, type Line } from '../../bench/results.ts';
import { daySvg, scaleSvgs, waitsSvg } from '../../bench/plots.ts';
import { titleOf } from '../../bench/titles.ts';
import { goalTable, replaceBlock } from '../../bench/write-report.ts';

const header = {
  run: '2026-01-02T03:04:05.000Z',
  machine: { cores: 2, memoryGiB: 24, system: 'linux x64', node: '20.20.2' },
  scale: 1,
};
const figures = {
  value: 1.1,
  min: 1,
  max: 1.2,
  noise: 0.05,
  goal: 1.3,
  sense: 'at most',
  unit: 'x',
} as const;
const startup: Line = { ...header, benchmark: 'startup', kind: 'result', name: '--help', ...figures };

it('shows each goal with its result, and skipped benchmarks with their reason, under machine and day', () => {
  const skipped: Line = {
    ...header,
    benchmark: 'startup',
    kind: 'skipped',
    name: 'peer',
    skipped: 'none named',
  };
  const table = goalTable([startup, skipped]);
  expect(table).toContain('**startup** · 2026-01-02 · 2 cores, 24 GiB, linux x64, Node 20.20.2\n');
  expect(table).toContain(
    '| `--help`: processor time, relative to `node -e 0` | at most 1.30x | 1.10x (1.00 to 1.20) | ok |',
  );
  expect(table).toContain('| peer | | skipped: none named | |');
});

it('shows a title for every stored result instead of its name', () => {
  const untitled = readLines(fullRunFiles()).flatMap((line) =>
    line.kind === 'result' && titleOf(line.benchmark, line.name) === line.name ? [line.name] : [],
  );
  expect(untitled).toEqual([]);
  expect(titleOf('startup', '--help, of that of peer 2, memory')).toBe(
    '`--help`: memory, relative to peer 2',
  );
});

it('reports if the sizes were not those of the goals', () => {
  expect(goalTable([{ ...startup, scale: 0.05 }])).toContain('at 0.05 of the size of the goals');
});

it('keeps the last run of each benchmark', () => {
  const later: Line = { ...startup, run: '2026-01-03T00:00:00.000Z', value: 9 };
  const other: Line = { ...startup, benchmark: 'queue' };
  expect(lastRuns([startup, other, later])).toEqual([other, later]);
});

it('shows the last figures of a comparison that the last run skipped, with their day', () => {
  const skipped: Line = {
    ...header,
    run: '2026-01-04T00:00:00.000Z',
    benchmark: 'startup',
    kind: 'skipped',
    name: 'start-up of other command lines',
    skipped: 'UCCTL_BENCH_PEER is not set',
  };
  const last: Line = { ...startup, run: skipped.run };
  const peer = (day: number, value: number): Line => ({
    ...startup,
    run: `2026-01-0${day}T00:00:00.000Z`,
    name: '--help, of that of peer 1, memory',
    value,
  });
  const lines = lastRuns([peer(2, 5), peer(3, 0.5), last, skipped]);
  expect(lines).toEqual([last, peer(3, 0.5)]);
  const table = goalTable(lines);
  expect(table).toContain('**startup** · 2026-01-04 ·');
  expect(table).toContain(
    '| `--help`: memory, relative to peer 1 | at most 1.30x | 0.50x (1.00 to 1.20), measured 2026-01-03 | ok |',
  );
  expect(lastRuns([last, skipped])).toEqual([last, skipped]);
});

it('names the benchmarks without a result', () => {
  expect(goalTable([startup])).toMatch(/\nWithout results: .*`checkout`/);
  expect(goalTable([startup])).not.toMatch(/Without results: .*`startup`/);
});

it('replaces only what is between the markers', () => {
  const page = 'before\n<!-- goals -->\nold\n<!-- /goals -->\nafter';
  expect(replaceBlock(page, 'goals', 'new')).toBe('before\n<!-- goals -->\n\nnew\n<!-- /goals -->\nafter');
  expect(replaceBlock(page, 'goals', '')).toBe(page);
  expect(() => replaceBlock(page, 'scale', 'new')).toThrow('lost the marker "scale"');
});

it('draws sizes on logarithmic axes, with machine and date in the caption', () => {
  const point = (size: number): Line => {
    const [seconds, megabytes] = [[size / 500, size / 400], [60]];
    const what = { kind: 'point', subject: 'calls', work: 'stats <all>', size, seconds, megabytes } as const;
    return { ...header, benchmark: 'scale', ...what };
  };
  const points = [100, 1000, 10_000].map(point);
  const { 'scale-time.svg': svg = '' } = scaleSvgs(points);
  expect(svg).toContain('2 cores, 24 GiB, linux x64, Node 20.20.2, 2026-01-02');
  expect(svg).toContain('stats &lt;all&gt;');
  // Linear work is a straight line of the slope 1: equal steps of both coordinates.
  const [x1 = 0, x2 = 0, x3 = 0] = [...svg.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => Number(x));
  expect(x2 - x1).toBeCloseTo(x3 - x2, 0);
  expect(svg).not.toContain('NaN');
});

it('draws memory over time', () => {
  const samples = [
    [0, 60],
    [600, 64],
  ] as const;
  const series: Line = { ...header, benchmark: 'day', kind: 'series', name: 'sandbox', samples };
  expect(daySvg([series])['day-memory.svg']).toContain('>sandbox</text>');
  expect(daySvg([])).toEqual({});
});

it('draws waits relative to their goals, without other command lines', () => {
  const slow: Line = { ...startup, name: 'help of a noun', value: 2, goal: 1 };
  const peer: Line = { ...startup, name: '--help, of that of peer 1, memory' };
  const { 'waits.svg': svg = '' } = waitsSvg([startup, slow, peer]);
  expect([...svg.matchAll(/<rect x="450"/g)]).toHaveLength(2);
  expect(svg).toContain('>queue --help</text>');
  expect(svg).toContain('2.00x (1.00 to 1.20)');
  expect(waitsSvg([])).toEqual({});
});
