import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode } from '../scripts/release/executable.ts';
import { pairedCpuRatio } from './measure.ts';
import type { Outcome } from './report.ts';
import { scaled } from './scaled.ts';

const rounds = scaled(15, 3);
/** Goal of each command line, as a ratio to `node -e 0`. */
const goals: readonly (readonly [string, number])[] = [
  ['--version', 1.1],
  ['queue --help', 1.4],
];

/** Processor time of the single executable, as a ratio to the Node that it contains. */
export function executable(): Promise<readonly Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-executable-'));
  try {
    execFileSync(process.execPath, ['scripts/run.mjs', 'release', 'executable', '--dir', folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const file = readdirSync(folder).find((name) => name.startsWith('ucctl')) ?? '';
    const baseline = { argv: [fetchNode(), '-e', '0'] } as const;
    const results = goals.map(([words, goal]): Outcome => {
      const { ratio } = pairedCpuRatio({ argv: [join(folder, file), ...words.split(' ')] }, baseline, rounds);
      const { min, median, max, noise } = ratio;
      return {
        name: `executable, ${words}`,
        value: median,
        min,
        max,
        noise,
        goal,
        sense: 'at most',
        unit: 'x',
      };
    });
    return Promise.resolve(results);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
