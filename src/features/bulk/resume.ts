import { counted, isOrAre } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import type { RunDetail } from './execute-run.ts';
import type { Journal, JournalItem } from './journal.ts';
import { findResumable, withRunJournal } from './run-journal.ts';
import { withholdAll } from './withhold.ts';

/** A run as the journal has it. */
export interface JournalledRun<P> {
  readonly detail: RunDetail;
  readonly items: readonly JournalItem<P>[];
}

/** How one kind of run is resumed. */
export interface Resumption<P> {
  readonly kind: string;
  /** What such a run is, e.g. `assignment of agents`. */
  readonly what: string;
  /** What is left of it, e.g. `text`; `change` by default. */
  readonly unit?: string;
  /** Whether an item may still be sent; by default all but those with a known end. */
  isLeft?(item: JournalItem<P>): boolean;
  /** Called with what is left before anything is asked or sent; throws to prevent it. */
  check?(left: readonly JournalItem<P>[], run: JournalledRun<P>): Promise<void>;
  /** The requests of what is left, not sent yet. */
  sends(left: readonly JournalItem<P>[]): Iterable<() => Promise<unknown>>;
  /** Executes the run and reports it. */
  execute(journal: Journal, run: string): Promise<void>;
}

/**
 * `--resume RUN`, for every kind of run: what was sent before is accounted for, what is left is asked about and sent, failures stay failures.
 * @returns how many changes were left. @throws {CommandError} for a run that cannot be resumed, and what the run ends with.
 */
export function resumeRun<P>(ctx: Context, word: string, resumption: Resumption<P>): Promise<number> {
  return withRunJournal(ctx, async (journal) => {
    const run = findResumable(ctx, journal, word, resumption);
    const items = journal.items<P>(run.id);
    const detail = journal.detail(run.id) as RunDetail;
    const left = items.filter((item) => resumption.isLeft?.(item) ?? hasNoEnd(item));
    await resumption.check?.(left, { detail, items });
    const number = counted(left.length, resumption.unit ?? 'change');
    ctx.out.preview(`${number} of the run ${run.id} ${isOrAre(left.length)} left: ${run.title}`);
    await confirm(ctx, left.length, `Resume the run ${run.id}: ${number} left. Continue?`);
    if (ctx.dryRun) {
      await withholdAll(resumption.sends(left), detail.refused);
    } else await resumption.execute(journal, run.id);
    return left.length;
  });
}

/** Whether an item is still to be done, or to be read back and then perhaps done. */
function hasNoEnd({ status }: Pick<JournalItem<unknown>, 'status'>): boolean {
  return status !== 'ok' && status !== 'failed';
}

/** Nothing is asked where nothing is left. @throws {CommandError} `declined` or `confirmation_needed` (exit 9) */
async function confirm(ctx: Context, left: number, question: string): Promise<void> {
  if (left === 0 || ctx.dryRun || (await ctx.prompt.confirm(question))) return;
  throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was sent');
}
