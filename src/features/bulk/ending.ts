import { CommandError, Exit } from '../../runtime/errors.ts';
import type { BulkEnd } from './engine.ts';
import type { ItemStatus } from './journal.ts';

export interface Ending {
  readonly end: BulkEnd;
  readonly counts: Readonly<Record<ItemStatus, number>>;
  readonly run: string;
  /** The command that carries the run on, without the id. */
  readonly resume: string;
}

/** What a run that did not go through ends with; undefined for one that did. An interrupted one is the caller's: it ends by the signal. */
export function endingError({ end, counts, run, resume }: Ending): unknown {
  const { ok, failed, unknown } = counts;
  const left = counts.planned + counts.sent;
  const total = ok + failed + unknown + left;
  if (end.stopped === 'service' && ok + failed + unknown === 0) return end.error;
  // Refused as a whole: the service's own words say more than a list of one.
  if (total === 1 && failed === 1 && end.error !== undefined) return end.error;
  if (failed + unknown + left === 0) return undefined;
  const goOn = `${resume} ${run}`;
  if (unknown > 0) {
    return new CommandError(
      'outcome_unknown',
      Exit.outcomeUnknown,
      `of ${unknown} of ${total} changes it is not known whether they were made`,
      { hint: `look at them: ucctl history show ${run}`, cause: end.error },
    );
  }
  if (left > 0 && end.stopped !== undefined) {
    const why = {
      interrupted: 'interrupted',
      'max-errors': 'too many failed',
      service: answered(end.error) ? 'the service refused' : 'the service stopped answering',
    };
    return new CommandError(
      'partial',
      Exit.partial,
      `${why[end.stopped]}: ${ok} of ${total} changes were made, ${failed} failed, ${left} are left`,
      { hint: `go on: ${goOn}`, retryable: true, cause: end.error },
    );
  }
  return new CommandError(
    'partial',
    ok === 0 ? Exit.failed : Exit.partial,
    `${failed} of ${total} changes were not made`,
    {
      hint: 'the rows with status failed say which; running the same command again sends only those',
      retryable: true,
      cause: end.error,
    },
  );
}

function answered(error: unknown): boolean {
  return error instanceof Error && error.name === 'ApiError';
}
