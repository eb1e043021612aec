import { join } from 'node:path';
import { tryLock } from '../../platform/process-lock.ts';
import { closeLock } from '../../platform/sqlite.ts';

export interface HeldReceiver {
  readonly name: string;
  release(): void;
}

const most = 100;

/**
 * A receiver name that no other process has: `base`, else `base-2` and so on. Its cursors and sync points are those of the run before, so
 * that a listener that was killed goes on where it was. The name is free again when the process ends, however it ends.
 */
export function holdReceiver(stateFolder: string, profile: string, base: string): HeldReceiver {
  const folder = join(stateFolder, 'inbox');
  for (let number = 1; number < most; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    const file = join(folder, `${profile}.${name}.lock`);
    const lock = tryLock(file);
    if (lock) return { name, release: () => closeLock(lock) };
  }
  throw new RangeError(`${most} receivers named ${base} are running`);
}
