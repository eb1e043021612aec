import { ownProcess } from './own-process.ts';
import type { LockHolder } from './process-lock.ts';

/** Returns the next step if the process that has a lock is stopped (Ctrl-Z, SIGSTOP), so that waiting is useless. */
export function resumeHint(holder: LockHolder | undefined): string | undefined {
  if (!holder || !ownProcess.isSuspended(holder.pid)) return undefined;
  return `the other process is suspended; to resume it: kill -CONT ${holder.pid}`;
}
