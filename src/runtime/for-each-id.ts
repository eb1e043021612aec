import type { Context } from './context.ts';
import { CommandError, Exit, messageOf } from '../errors/command.ts';
import { EachFailedError, type ItemFailure } from '../errors/each-failed.ts';
import { DryRunStop } from '../errors/dry-run-stop.ts';
import { ApiError, OutcomeUnknownError, ReplyError, UnconfirmedChangeError } from '../errors/service.ts';
import { counted, wasOrWere } from '../platform/counted.ts';

export interface EachResult<T> {
  readonly done: readonly T[];
  /**
   * Reports failures. @throws the error that ended the work after Ctrl-C, or the error of a single ID, else exit 14 if
   * outcomes are unknown, exit 8 if some IDs failed, or `EachFailedError` if all IDs failed.
   */
  readonly finish: (noun: string, participle: string) => void;
}

/** Runs `work` for every ID until Ctrl-C; a failure does not stop the others. */
export async function forEachId<T>(
  ctx: Context,
  ids: readonly string[],
  work: (id: string) => Promise<T>,
): Promise<EachResult<T>> {
  const done: T[] = [];
  const failures: ItemFailure[] = [];
  let dryRunStop: Error | undefined;
  let interruption: { readonly error: unknown } | undefined;
  for (const id of new Set(ids)) {
    try {
      done.push(await work(id));
    } catch (error) {
      if (ctx.signal.aborted) {
        interruption = { error };
        break;
      }
      if (error instanceof DryRunStop) dryRunStop = error;
      failures.push({ id, error });
    }
  }
  // With `--dry-run`, the error of the last ID contains the requests of all IDs.
  if (dryRunStop) throw dryRunStop;
  const finish = (noun: string, participle: string): void => {
    if (interruption) {
      for (const { id, error } of failures) ctx.out.warn(`${id}: ${messageOf(error)}`);
      throw interruption.error;
    }
    report(done.length, failures, noun, participle);
  };
  return { done, finish };
}

function report(done: number, failures: readonly ItemFailure[], noun: string, participle: string): void {
  const [first] = failures;
  if (!first) return;
  if (failures.length === 1 && done === 0) throw first.error;
  const isUnknown = failures.some(({ error }) => isOutcomeUnknown(error));
  const total = counted(done + failures.length, noun);
  const text = `${failures.length} of ${total} ${wasOrWere(failures.length)} not ${participle}`;
  if (done === 0 && !isUnknown) throw new EachFailedError(text, failures);
  throw new CommandError(
    isUnknown ? 'outcome_unknown' : 'partial',
    isUnknown ? Exit.outcomeUnknown : Exit.partial,
    isUnknown
      ? `${text}, or ${failures.length === 1 ? 'its outcome is' : 'their outcomes are'} unknown`
      : text,
    {
      details: failures.map(({ id, error }) => `${id}: ${messageOf(error)}`),
      hint: isUnknown
        ? 'check the state of these IDs before you run the command again'
        : 'fix the problems, and run the command again with these IDs only',
    },
  );
}

function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof CommandError) return error.exit === Exit.outcomeUnknown;
  if (error instanceof OutcomeUnknownError || error instanceof UnconfirmedChangeError) return true;
  return (error instanceof ReplyError || error instanceof ApiError) && error.mayBeDone;
}
