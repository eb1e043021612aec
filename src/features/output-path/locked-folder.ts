import { dayMilliseconds } from '../../platform/day.ts';
import { holderText, resumeHint, type LockHolder } from '../../platform/lock-holder.ts';
import { pathLock, type PathUse } from '../../platform/path-lock.ts';
import { withProcessLock } from '../../platform/process-lock.ts';
import type { Context } from '../../runtime/context.ts';

/** Maximum wait for another command in milliseconds. */
const waitMilliseconds = dayMilliseconds;

/**
 * Locks a folder, so that two runs never write the same file. A run that waits reports the other run.
 * @param folder the real path of the folder, and the path for messages
 */
export async function lockedFolder<T>(
  ctx: Context,
  use: PathUse,
  folder: { readonly real: string; readonly shown: string },
  work: () => Promise<T>,
): Promise<T> {
  const onWait = (holder: LockHolder | undefined): void => {
    const next = resumeHint(holder) ?? 'waiting until it ends';
    ctx.out.note(`another ${use} is using ${folder.shown}${holderText(holder)}; ${next}`);
  };
  const limits = { waitMilliseconds, reportAfterMilliseconds: 0 };
  return withProcessLock(
    pathLock(ctx.paths.state, use, folder.real),
    { ...limits, signal: ctx.signal, onWait },
    work,
  );
}
