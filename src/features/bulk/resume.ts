import { counted, isOrAre } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../runtime/errors.ts';
import type { Journal, JournalItem, RunSummary } from './journal.ts';
import type { RefusedRow } from './refused.ts';
import { findResumable, withRunJournal } from './run-journal.ts';
import { withholdAll } from './withhold.ts';

/** How one kind of run is carried on. */
export interface Resumption<P> {
  readonly kind: string;
  /** What such a run is, e.g. `assignment of agents`. */
  readonly what: string;
  /** The requests of what is left, not sent yet. */
  sends(left: readonly JournalItem<P>[]): Iterable<() => Promise<unknown>>;
  /** Rows of its list that the run left out. */
  refused?(journal: Journal, run: string): readonly RefusedRow[];
  /** Carries it to its end and tells of it. */
  carry(journal: Journal, run: string): Promise<void>;
}

/**
 * `--resume RUN`, for changes that can be read back: what was sent is, what is left is asked about and sent, failures stay failures.
 * @returns how many changes were left. @throws {CommandError} of the run that is not there, of a refusal, and of what the run ends with.
 */
export function resumeRun<P>(ctx: Context, word: string, resumption: Resumption<P>): Promise<number> {
  return withRunJournal(ctx, async (journal) => {
    const run = findResumable(ctx, journal, word, resumption);
    const left = journal.items<P>(run.id).filter(isOpen);
    await confirm(ctx, run, left.length);
    if (ctx.dryRun) await withholdAll(resumption.sends(left), resumption.refused?.(journal, run.id));
    else await resumption.carry(journal, run.id);
    return left.length;
  });
}

/** Whether an item is still to be done, or to be read back and then perhaps done. */
function isOpen({ status }: Pick<JournalItem<unknown>, 'status'>): boolean {
  return status !== 'ok' && status !== 'failed';
}

/** Nothing is asked where nothing is left. @throws {CommandError} `declined` or `confirmation_needed` (exit 9) */
async function confirm(ctx: Context, run: RunSummary, left: number): Promise<void> {
  if (left === 0) return;
  ctx.out.preview(`${counted(left, 'change')} of the run ${run.id} ${isOrAre(left)} left: ${run.title}`);
  if (ctx.dryRun || (await ctx.prompt.confirm(`Carry on the run ${run.id}?`))) return;
  throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was sent');
}
