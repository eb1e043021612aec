import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfDue } from '../../scripts/build-if-due.mjs';

/** Builds where that is due, and gives the run a folder for temporary files of its own, in which nothing of ours may be left. */
export function setup(): () => void {
  buildIfDue();
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-suite-'));
  process.env['TMPDIR'] = folder;
  return () => {
    const left = readdirSync(folder).filter((name) => name.startsWith('ucctl-'));
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    // Vitest tells of an error here and ends with 0 all the same.
    process.exitCode = 1;
    throw new Error(`the tests left behind: ${left.join(', ')}`);
  };
}
