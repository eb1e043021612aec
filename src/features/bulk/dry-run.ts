import { counted } from '../../platform/counted.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { DryRunStop } from '../../errors/service.ts';
import { skippedLines, type SkippedRow } from './skipped-rows.ts';

/**
 * Makes every request of a run under `--dry-run`: the transport records each request instead of sending it.
 * @param skipped rows that the run would skip. If there are any, the dry run exits with 8 after it has shown its
 * requests, like the run.
 * @throws {DryRunStop} with all requests; returns when there is no request.
 */
export async function sendDryRun(
  sends: Iterable<() => Promise<unknown>>,
  skipped: readonly SkippedRow[] = [],
): Promise<void> {
  let last: Error | undefined;
  for (const send of sends) {
    try {
      await send();
    } catch (error) {
      if (!(error instanceof DryRunStop)) throw error;
      last = error;
    }
  }
  if (last === undefined) return;
  if (skipped.length > 0) last.cause = skippedError(skipped, 'would be');
  throw last;
}

/** The error of a command that only shows changes, for a list with skipped rows (exit 8). */
export function skippedError(skipped: readonly SkippedRow[], verb: string): CommandError {
  return new CommandError('partial', Exit.partial, `${counted(skipped.length, 'row')} ${verb} skipped`, {
    details: skippedLines(skipped),
    hint: 'fix the list; nothing was sent',
  });
}
