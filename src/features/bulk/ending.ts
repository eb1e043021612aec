import { counted, isOrAre, wasOrWere } from '../../platform/counted.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { type CommandText, nextStep, ucctl } from '../../errors/hint.ts';
import { ApiError } from '../../errors/service.ts';
import type { BulkEnd } from './engine.ts';
import type { ItemStatus } from './journal.ts';

export interface Ending {
  readonly end: BulkEnd;
  readonly counts: Readonly<Record<ItemStatus, number>>;
  readonly run: string;
  /** The command that resumes the run, without the id. */
  readonly resume: CommandText;
  /** Rows that nothing was sent for, as failures. */
  readonly refused?: number | undefined;
  /** Rows that were up to date already: with them a run is not a failure as a whole. */
  readonly unchanged?: number | undefined;
  /** How only the failed rows are retried, where running the same command again would not do just that. */
  readonly again?: string | undefined;
  /** Why changes failed, a line each. */
  readonly reasons?: readonly string[] | undefined;
}

const failedAgain = 'the rows with status failed say which; running the same command again sends only those';

/** More reasons than this are in the results file only. */
const shownReasons = 10;

/** What a run that did not go through ends with; undefined for one that did. An interrupted one is the caller's: it ends by the signal. */
export function endingError(ending: Ending): unknown {
  const { end, counts } = ending;
  const tally = tallyOf(ending);
  const { failed, left, total } = tally;
  if (end.stopped === 'service' && counts.ok + counts.failed + counts.unknown === 0) return end.error;
  // Refused as a whole: the service's own words say more than a list of one.
  if (total === 1 && failed === 1 && end.error !== undefined) return end.error;
  if (failed + counts.unknown + left === 0) return undefined;
  if (counts.unknown > 0) return unknownError(ending, tally);
  if (left > 0 && end.stopped !== undefined) return stoppedError(ending, tally, end.stopped);
  return failedError(ending, tally);
}

/** The changes of a run; `left` are those that were not sent, or not answered. */
interface Tally {
  readonly failed: number;
  readonly left: number;
  readonly total: number;
}

function tallyOf({ counts, refused = 0 }: Ending): Tally {
  const failed = counts.failed + refused;
  const left = counts.planned + counts.sent;
  return { failed, left, total: counts.ok + failed + counts.unknown + left };
}

function unknownError({ end, counts: { unknown }, run }: Ending, { total }: Tally): CommandError {
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `it is not known whether ${unknown} of ${counted(total, 'change')} ${wasOrWere(unknown)} made`,
    { hint: nextStep`look at them: ${ucctl(`history show ${run}`)}`, cause: end.error },
  );
}

function stoppedError(
  { end, counts: { ok }, run, resume }: Ending,
  { failed, left, total }: Tally,
  stopped: NonNullable<BulkEnd['stopped']>,
): CommandError {
  const why = {
    interrupted: 'interrupted',
    'max-errors': 'too many failed',
    service:
      end.error instanceof ApiError ? 'the service rejected the request' : 'the service stopped answering',
  };
  return new CommandError(
    'partial',
    Exit.partial,
    `${why[stopped]}: ${ok} of ${counted(total, 'change')} ${wasOrWere(ok)} made, ${failed} failed, ${left} ${isOrAre(left)} left`,
    { hint: nextStep`resume the run: ${ucctl(`${resume.ucctl} ${run}`)}`, retryable: true, cause: end.error },
  );
}

function failedError(ending: Ending, { failed, total }: Tally): CommandError {
  const { end, counts, unchanged = 0, reasons = [], again = failedAgain } = ending;
  return new CommandError(
    'partial',
    counts.ok + unchanged === 0 ? Exit.failed : Exit.partial,
    `${failed} of ${counted(total + unchanged, 'change')} ${wasOrWere(failed)} not made`,
    {
      details: shown(reasons),
      hint:
        counts.failed > 0 ? again : 'fix these rows; running the same command again sends only what is left',
      retryable: counts.failed > 0,
      cause: end.error,
    },
  );
}

function shown(reasons: readonly string[]): readonly string[] {
  const more = reasons.length - shownReasons;
  return more > 0 ? [...reasons.slice(0, shownReasons), `and ${more} more`] : reasons;
}
