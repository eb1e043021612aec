import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Changes whether anybody can delete a file. */
export function setImmutable(file: string, isImmutable: boolean): void {
  execFileSync('chattr', [isImmutable ? '+i' : '-i', file], { stdio: 'ignore' });
}

/** Whether this process may create a file that nobody can delete. */
export function canSetImmutable(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-test-'));
  try {
    setImmutable(folder, true);
    setImmutable(folder, false);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
