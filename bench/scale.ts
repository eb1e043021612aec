import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spread } from './measure.ts';
import type { Result } from './report.ts';
import type { Note, Point } from './results.ts';
import { scaled } from './scaled.ts';
import { agents, calls, events, messages, type Subject } from './scale-subjects.ts';
import type { Timed } from './timed.ts';

const rounds = 3;
const factors = [1, 10, 100];
const greatestExponent = 1.1;
/** Limit of the ratio of peak memory at 100 times the work to that at 10 times. */
const flat = 1.3;

/** The same work at 1, 10 and 100 times its size: the cost must grow in proportion, or less. */
export async function scaling(note: (note: Note) => void): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const subject of [agents, messages, calls, events]) {
    const points = await measure(subject);
    for (const point of points) note(point);
    results.push(...resultsOf(subject, points));
  }
  return results;
}

async function measure(subject: Subject): Promise<readonly Point[]> {
  const sizes = factors.map((factor) => factor * scaled(subject.size, 10));
  const timed = sizes.map((): Timed[] => []);
  // Interleaved, so that other load of the machine affects all sizes; the first run is a warm-up.
  await once(subject, sizes[0] ?? 1);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, size] of sizes.entries()) timed[at]?.push(await once(subject, size));
  }
  return sizes.map((size, at) => ({
    kind: 'point',
    subject: subject.name,
    work: subject.work,
    size,
    seconds: (timed[at] ?? []).map(({ seconds }) => seconds),
    megabytes: (timed[at] ?? []).map(({ megabytes }) => megabytes),
  }));
}

async function once({ run, size: smallest }: Subject, size: number): Promise<Timed> {
  const folder = mkdtempSync(join(tmpdir(), `ucctl-bench-scale-${smallest}-`));
  try {
    return await run(folder, size);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Uses the last tenfold step, because the cost of the start hides growth between smaller sizes. */
function resultsOf({ name, isStream }: Subject, points: readonly Point[]): readonly Result[] {
  const [, tenfold, hundredfold] = points;
  if (!tenfold || !hundredfold) return [];
  const step = hundredfold.size / tenfold.size;
  const growth = (of: (point: Point) => readonly number[]): readonly number[] =>
    of(hundredfold).map((value, round) => value / (of(tenfold)[round] ?? Number.NaN));
  const memory = growth(({ megabytes }) => megabytes);
  const exponents = (values: readonly number[]): readonly number[] =>
    values.map((value) => Math.log(value) / Math.log(step));
  const result = (what: string, values: readonly number[], goal: number, unit: string): Result => {
    const { median, min, max, noise } = spread(values);
    return { name: `${name}: ${what}`, value: median, min, max, noise, goal, sense: 'at most', unit };
  };
  return [
    result('exponent of time', exponents(growth(({ seconds }) => seconds)), greatestExponent, ''),
    isStream
      ? result('peak memory for ten times the work', memory, flat, 'x')
      : result('exponent of memory', exponents(memory), greatestExponent, ''),
  ];
}
