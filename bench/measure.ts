import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Result } from './report.ts';

/** Measures a whole process from outside. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether stdout is a pipe, as for a shell that reads completions; by default, the output is discarded. */
  readonly piped?: boolean;
}

interface Sample {
  /** User and system time, milliseconds. */
  readonly cpu: number;
  readonly wall: number;
}

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
  /** Half the interquartile range. */
  readonly noise: number;
}

/** The environment of a measured process, without variables that would slow down Node and so improve every ratio. */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...env } = process.env;
  return { ...env, ...extra };
}

/**
 * Runs a command once. bash's `time` counts the processor time of the process and of the children that it waited for.
 */
export function run({ argv, env, piped = false }: Command): Sample {
  const timed = piped
    ? '{ time "$@" 2>"$UCCTL_BENCH_ERRORS"; } | cat >/dev/null; exit "${PIPESTATUS[0]}"'
    : 'time "$@" >/dev/null 2>"$UCCTL_BENCH_ERRORS"';
  const script = `TIMEFORMAT="%3U %3S %3R"; ${timed}`;
  const result = spawnSync('bash', ['-c', script, 'bash', ...argv], {
    encoding: 'utf8',
    env: cleanEnvironment({ UCCTL_BENCH_ERRORS: '/dev/null', ...env }),
  });
  if (result.status !== 0) throw new Error(`bench: ${argv.join(' ')} ended with ${result.status}`);
  const [user = Number.NaN, system = Number.NaN, real = Number.NaN] = result.stderr
    .trim()
    .split(' ')
    .map(Number);
  return { cpu: (user + system) * 1000, wall: real * 1000 };
}

/** Runs A and B alternately after one warm-up each, and returns the processor-time ratio A/B of each pair. */
export function pairedCpuRatio(
  a: Command,
  b: Command,
  rounds: number,
): { ratio: Spread; a: Spread; b: Spread } {
  run(a);
  run(b);
  const pairs = Array.from({ length: rounds }, () => [run(a).cpu, run(b).cpu] as const);
  return {
    ratio: spread(pairs.map(([first, second]) => first / second)),
    a: spread(pairs.map(([first]) => first)),
    b: spread(pairs.map(([, second]) => second)),
  };
}

/**
 * Runs A and B alternately after one warm-up each, and returns how many milliseconds of wall time A takes longer, for
 * each pair.
 */
export function pairedWallDifference(a: Command, b: Command, rounds: number): Spread {
  run(a);
  run(b);
  return spread(Array.from({ length: rounds }, () => run(a).wall - run(b).wall));
}

/** The result of a goal for the processor time of A relative to B. */
export function cpuResult(
  name: string,
  pair: { readonly of: Command; readonly to: Command },
  goal: number,
  rounds: number,
): Result {
  const { median, min, max, noise } = pairedCpuRatio(pair.of, pair.to, rounds).ratio;
  return { name, value: median, min, max, noise, goal, sense: 'at most', unit: 'x' };
}

/**
 * Wall time of one run in milliseconds, measured here, because bash's `time` rounds to milliseconds.
 * @throws when the command fails.
 */
export function wallMilliseconds({ argv: [command, ...args], env }: Command): number {
  const start = performance.now();
  const { status } = spawnSync(command, args, { env: cleanEnvironment(env), stdio: 'ignore' });
  if (status !== 0) throw new Error(`bench: ${command} ${args.join(' ')} ended with ${status}`);
  return performance.now() - start;
}

/** Peak memory in MB of a program that runs on Node, as the kernel reports it. NaN for other programs. */
export function peakMegabytes({ argv, env }: Command): number {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-peak-'));
  const file = join(folder, 'peak');
  try {
    run({ argv, env: { ...env, UCCTL_BENCH_PEAK: file, NODE_OPTIONS: '--require=./bench/peak-memory.cjs' } });
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return Number.NaN;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((x, y) => x - y);
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return { min: at(0), median: at(0.5), max: at(1), noise: (at(0.75) - at(0.25)) / 2 };
}

/** The value below which a share of the values is; they are in ascending order. */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

/** The result of a goal from the values of its rounds; the median counts. */
export function resultOf(
  name: string,
  values: readonly number[],
  goal: number,
  sense: Result['sense'],
  unit: string,
): Result {
  const { median, min, max, noise } = spread(values);
  return { name, value: median, min, max, noise, goal, sense, unit };
}
