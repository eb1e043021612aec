import { argv, env } from 'node:process';

const reduced = 0.05;

/**
 * UCCTL_BENCH_SCALE, or `--reduced`, reduces the work, to test the benchmarks themselves; 1 is the size for
 * which the goals are defined.
 */
export const scale = Number(env['UCCTL_BENCH_SCALE'] ?? (argv.includes('--reduced') ? reduced : 1));

/** A size of this run: the full size times the scale, rounded, and at least `least`. */
export function scaled(size: number, least = 1): number {
  return Math.max(least, Math.round(size * scale));
}
