import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanClone, commitOf } from '../scripts/proofs/clean-clone.ts';
import { cleanEnvironment, resultOf } from './measure.ts';
import type { Result } from './report.ts';
import { scale } from './scaled.ts';

/**
 * The waits of somebody who works on ucctl, in a clone of the current commit, with the packages in npm's cache: installation and demo, then
 * the test suite. A reduced run tests one file.
 */
export function checkout(): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-checkout-'));
  const clone = join(folder, 'ucctl');
  try {
    cleanClone(process.cwd(), commitOf('.'), clone);
    const demo = secondsOf(clone, 'npm ci --prefer-offline && npm run demo');
    const suite = secondsOf(clone, scale < 1 ? 'npm test test/bench/report.test.ts' : 'npm test');
    return Promise.resolve([
      resultOf('npm ci && npm run demo after a clone', [demo], 30, 'at most', ' s'),
      resultOf('npm test', [suite], 200, 'at most', ' s'),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function secondsOf(folder: string, command: string): number {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: cleanEnvironment(),
    maxBuffer: 2 ** 28,
  });
  if (status !== 0)
    throw new Error(`bench: ${command} ended with ${status}: ${(stderr + stdout).slice(-500)}`);
  return (performance.now() - start) / 1000;
}
