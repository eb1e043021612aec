import { counted } from '../../platform/counted.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { DryRunStop } from '../../errors/service.ts';
import { refusedLines, type RefusedRow } from './refused.ts';

/**
 * Asks for every request that a run would send, under dry run; the transport keeps each of them back.
 * @param refused rows that the run would leave out: it would end with 8 for them, and so does the dry run, after its requests are shown.
 * @throws {DryRunStop} with all of them; returns when there is none.
 */
export async function withholdAll(
  sends: Iterable<() => Promise<unknown>>,
  refused: readonly RefusedRow[] = [],
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
  if (refused.length > 0) last.cause = leftOut(refused);
  throw last;
}

function leftOut(refused: readonly RefusedRow[]): CommandError {
  return new CommandError('partial', Exit.partial, `${counted(refused.length, 'row')} would be skipped`, {
    details: refusedLines(refused),
    hint: 'correct the list; nothing was sent',
  });
}
