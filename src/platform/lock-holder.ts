import { ownProcess } from './own-process.ts';

/** The process that has a lock, and since when (ISO 8601). */
export interface LockHolder {
  readonly pid: number;
  readonly since: string;
}

/** Describes the process that has a lock, for a message, e.g. ` (process 7, since …)`; empty if it is unknown. */
export function holderText(holder: LockHolder | undefined): string {
  return holder ? ` (process ${holder.pid}, since ${holder.since})` : '';
}

/** Returns the next step if the process that has a lock is stopped (Ctrl-Z, SIGSTOP), so that waiting is useless. */
export function resumeHint(holder: LockHolder | undefined): string | undefined {
  if (!holder || !ownProcess.isSuspended(holder.pid)) return undefined;
  return `the other process is suspended; to resume it: kill -CONT ${holder.pid}`;
}
