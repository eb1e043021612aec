import { argv, env } from 'node:process';

const reduced = 0.05;

/** UCCTL_BENCH_SCALE, or `--reduced`, makes everything smaller, to try the benchmarks themselves; 1 is the size of the goals. */
export const scale = Number(env['UCCTL_BENCH_SCALE'] ?? (argv.includes('--reduced') ? reduced : 1));

/** A size of this run: that of the goals times the scale, whole, and not below `least`. */
export function scaled(size: number, least = 1): number {
  return Math.max(least, Math.round(size * scale));
}
