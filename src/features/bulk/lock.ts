import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { canonicalBaseUrl } from '../../platform/base-url.ts';
import { LockTimeoutError, withProcessLock } from '../../platform/process-lock.ts';
import { holderText, resumeHint } from '../../platform/lock-holder.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/**
 * Allows only one bulk run at a time for each service, because two runs would read back each other's changes. The
 * process releases the lock when it exits.
 */
export async function withRunLock<T>(
  stateFolder: string,
  baseUrl: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const name = createHash('sha256').update(canonicalBaseUrl(baseUrl)).digest('hex').slice(0, 12);
  try {
    return await withProcessLock(
      join(stateFolder, `run-${name}.lock`),
      { waitMilliseconds: 2000, signal },
      work,
    );
  } catch (error) {
    if (!(error instanceof LockTimeoutError)) throw error;
    throw new CommandError('busy', Exit.conflict, `another run is in progress${holderText(error.holder)}`, {
      hint:
        resumeHint(error.holder) ??
        nextStep`wait until that run ends; list the runs: ${ucctl('history list')}`,
      retryable: true,
      cause: error,
    });
  }
}
