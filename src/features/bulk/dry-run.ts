import { counted } from '../../platform/counted.ts';
import { CommandError, Exit, KeyUsedError } from '../../errors/command.ts';
import { DryRunStop } from '../../errors/dry-run-stop.ts';
import type { Context } from '../../runtime/context.ts';
import { skippedLines, type SkippedRow } from './skipped-rows.ts';

/**
 * Makes every request of a run under `--dry-run`: the transport records each request instead of sending it.
 * @param skipped rows that the run would skip. If there are skipped rows, the dry run shows its requests and then exits
 * with 8, like the run.
 * @param noteUsed receives the errors of sends that the run would not make, because their dedupe key was used
 * @throws {DryRunStop} with all requests; returns when there is no request.
 */
export async function sendDryRun(
  sends: Iterable<() => Promise<unknown>>,
  skipped: readonly SkippedRow[] = [],
  noteUsed: (errors: readonly KeyUsedError[]) => void = () => undefined,
): Promise<void> {
  let last: DryRunStop | undefined;
  const used: KeyUsedError[] = [];
  for (const send of sends) {
    try {
      await send();
    } catch (error) {
      if (error instanceof KeyUsedError) used.push(error);
      else if (error instanceof DryRunStop) last = error;
      else throw error;
    }
  }
  noteUsed(used);
  if (last === undefined) return;
  last.isList = true;
  if (skipped.length > 0) last.cause = skippedError(skipped, 'would be');
  throw last;
}

/**
 * Shows that a dry run of a list has no requests, in the formats for programs. @returns false if nothing was shown, because
 * the output is for people.
 */
export async function showNoRequests({ out }: Pick<Context, 'out'>): Promise<boolean> {
  if (out.format === 'table') return false;
  await out.list([], { columns: [] });
  return true;
}

/** Returns the error of a command that only shows changes, for a list with skipped rows (exit 8). */
export function skippedError(skipped: readonly SkippedRow[], verb: string): CommandError {
  return new CommandError('partial', Exit.partial, `${counted(skipped.length, 'row')} ${verb} skipped`, {
    details: skippedLines(skipped),
    hint: 'nothing was sent; fix the list and run the command again',
  });
}
