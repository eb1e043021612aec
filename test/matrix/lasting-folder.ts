import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that exists longer than one test. */
export function lastingFolder(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-matrix-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
