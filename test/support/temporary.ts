import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Paths } from '../../src/runtime/context.ts';
import { pathsIn } from './paths.ts';

/** A separate folder for this test, removed afterwards. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Separate directories of a user for this test. */
export function temporaryPaths(): Paths {
  return pathsIn(temporaryFolder());
}
