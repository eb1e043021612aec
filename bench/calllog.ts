import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Result } from './report.ts';
import { startMediaServer, timeUcctl } from './timed.ts';

/** UCCTL_BENCH_SCALE reduces all sizes, to test the benchmark itself. */
const scale = Number(process.env['UCCTL_BENCH_SCALE'] ?? 1);
const records = Math.round(1_000_000 * scale);

/**
 * With this number of records, the heap reaches its final size. After 20,000 records it is still smaller
 * (82 MB), and 2,000,000 records need no more memory than 1,000,000.
 */
const fewer = Math.round(200_000 * scale);

/** Memory of streaming a long call log: it must not grow with the number of records. */
export async function calllog(): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-calllog-'));
  const { url, child } = await startMediaServer(records);
  try {
    const args = ['calllog', 'list', '--all', '--since', '2025-01-01', '-o', 'ndjson', '-q'];
    // The first run of a command stores its compiled code, so it is not comparable with later runs.
    timeUcctl(folder, url, [...args.filter((one) => one !== '--all'), '--limit', '1']);
    const all = timeUcctl(folder, url, args);
    const few = timeUcctl(folder, url, [...args.filter((one) => one !== '--all'), '--limit', String(fewer)]);
    return [
      single(`${records} records as ndjson, peak memory`, all.megabytes, 150, 'at most', ' MB'),
      single(`the same, to that of ${fewer} records`, all.megabytes / few.megabytes, 1.3, 'at most', 'x'),
      single('records a second', records / all.seconds, 10_000, 'at least', ''),
    ];
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function single(name: string, value: number, goal: number, sense: Result['sense'], unit: string): Result {
  return { name, value, min: value, max: value, noise: 0, goal, sense, unit };
}
