import { counted, isOrAre, wasOrWere } from '../../platform/counted.ts';
import { CommandError, Exit, messageOf, type Detail } from '../../errors/command.ts';
import { type CommandText, nextStep, ucctl, type Hint } from '../../errors/hint.ts';
import { ApiError, ConnectionError, isTemporaryStatus, RateLimitError } from '../../errors/service.ts';
import { DatabaseError } from '../../platform/database-error.ts';
import { StoreError } from '../../platform/store-error.ts';
import type { BulkEnd } from './bulk-work.ts';
import type { ItemStatus } from './run-summaries.ts';

/** The words for one item of a run in errors, such as `text` and `sent`. */
export interface RunUnit {
  readonly noun: string;
  /** The participle of what the run does with an item. */
  readonly done: string;
}

/** The result of a run that has ended, whether or not it is complete. */
export interface EndedRun {
  readonly end: BulkEnd;
  readonly counts: Readonly<Record<ItemStatus, number>>;
  readonly run: string;
  readonly unit: RunUnit;
  /** The command that resumes the run, without the ID. */
  readonly resume: CommandText;
  /** Number of skipped rows, which count as failures. */
  readonly skipped?: number | undefined;
  /** Number of rows that were already up to date. A run with such rows has not failed as a whole. */
  readonly unchanged?: number | undefined;
  /**
   * The hint for sending only the failed and skipped rows. Set if running the same command again would send more than
   * these rows.
   */
  readonly again?: Hint | undefined;
  /** Whether the command resumed the run. */
  readonly isResumed?: boolean;
  /** The reasons why changes failed, one line per reason. */
  readonly reasons?: readonly Detail[] | undefined;
}

/** Returns the command to run again. A resumed run does not retry its failed rows. */
const commandToRepeat = (isResumed: boolean): string =>
  isResumed ? 'the original command again, without --resume,' : 'the same command again';

/** Maximum number of reasons in the error; the results file contains all reasons. */
const shownReasons = 10;

/**
 * Returns the error of a run that did not make all of its changes; undefined if the run made all changes. The caller
 * handles an interrupted run, which ends with the signal.
 */
export function runError(ended: EndedRun): unknown {
  const { end, counts } = ended;
  const tally = tallyOf(ended);
  const { failed, left, total } = tally;
  if (end.stopped === 'service' && counts.sent > 0) return unreadError(ended, tally);
  if (end.stopped === 'service' && counts.ok + counts.failed + counts.unknown === 0) return end.error;
  // For a single change, the service's own error is more useful than a summary.
  if (total === 1 && failed === 1 && end.error !== undefined) return end.error;
  if (failed + counts.unknown + left === 0) return undefined;
  if (counts.unknown > 0) return unknownError(ended, tally);
  if (left > 0 && end.stopped !== undefined) return stoppedError(ended, tally, end.stopped);
  return failedError(ended, tally);
}

/** Number of changes of a run by result. `left` is the number of changes without a reply. */
interface Tally {
  readonly failed: number;
  readonly left: number;
  readonly total: number;
}

function tallyOf({ counts, skipped = 0 }: EndedRun): Tally {
  const failed = counts.failed + skipped;
  const left = counts.planned + counts.sent;
  return { failed, left, total: counts.ok + failed + counts.unknown + left };
}

function unknownError({ end, counts: { unknown }, run, unit }: EndedRun, { total }: Tally): CommandError {
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `the outcome of ${unknown} of ${counted(total, unit.noun)} is unknown`,
    { hint: nextStep`show the changes: ${ucctl`history show ${run}`}`, cause: end.error },
  );
}

/** The error of a run whose last changes were sent, but could not be read back. */
function unreadError({ end, counts: { sent }, run, resume, unit }: EndedRun, { total }: Tally): CommandError {
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `${sent} of ${counted(total, unit.noun)} ${wasOrWere(sent)} sent, but ucctl could not read the result: ${messageOf(end.error)}`,
    {
      hint: nextStep`check the sent changes and make the remaining changes: ${ucctl`${resume} ${run}`}`,
      cause: end.error,
    },
  );
}

function stoppedError(
  { end, counts: { ok }, run, resume, unit }: EndedRun,
  { failed, left, total }: Tally,
  stopped: NonNullable<BulkEnd['stopped']>,
): CommandError {
  const why = {
    interrupted: 'interrupted:',
    'max-errors': 'too many failures:',
    service: reasonOf(end.error),
  };
  const [code, exit] =
    stopped === 'service' && end.error instanceof DatabaseError
      ? ([end.error.code, Exit.local] as const)
      : (['partial', Exit.partial] as const);
  return new CommandError(
    code,
    exit,
    `${why[stopped]} ${ok} of ${counted(total, unit.noun)} ${wasOrWere(ok)} ${unit.done}, ${failed} failed, ${left} ${isOrAre(left)} left`,
    {
      hint: nextStep`resume the run: ${ucctl`${resume} ${run}`}`,
      retryable: stopped === 'interrupted' || (stopped === 'service' && mayPass(end.error)),
      cause: end.error,
    },
  );
}

/** Returns the beginning of the message for a run that an error stopped. Other errors than those of the service explain themselves. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return 'the service rejected the request:';
  const isOwn = [CommandError, DatabaseError, RateLimitError, StoreError].some(
    (type) => error instanceof type,
  );
  return isOwn ? `${messageOf(error)};` : 'the service stopped replying:';
}

/** Returns whether the cause of a stopped run may end without an action of the user, such as a rate limit. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return isTemporaryStatus(error.status);
  if (error instanceof ConnectionError) return !error.isCertificateFault;
  if (error instanceof CommandError || error instanceof DatabaseError || error instanceof StoreError)
    return error.retryable;
  return error instanceof RateLimitError;
}

function failedError(ended: EndedRun, { failed, total }: Tally): CommandError {
  const { end, counts, unchanged = 0, reasons = [], isResumed = false, unit } = ended;
  const command = commandToRepeat(isResumed);
  const isPartial = counts.ok + unchanged > 0;
  return new CommandError(
    isPartial ? 'partial' : 'failed',
    isPartial ? Exit.partial : Exit.failed,
    `${failed} of ${counted(total, unit.noun)} ${wasOrWere(failed)} not ${unit.done}`,
    {
      details: shown(reasons),
      hint:
        ended.again ??
        (counts.failed > 0
          ? `correct the cause and run ${command} to retry only the rows with status failed`
          : `fix these rows and run ${isResumed ? command : `${command},`} which sends only the remaining changes`),
      cause: end.error,
    },
  );
}

function shown(reasons: readonly Detail[]): readonly Detail[] {
  const more = reasons.length - shownReasons;
  return more > 0 ? [...reasons.slice(0, shownReasons), `and ${more} more`] : reasons;
}
