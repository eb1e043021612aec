import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import type { Journal, JournalItem } from './journal.ts';
import { readDetail, type RunDetail } from './run-detail.ts';
import { findResumable, withRunJournal } from './run-journal.ts';
import { sendDryRun } from './dry-run.ts';
import { isQuickAnswer } from './saved-plan.ts';

export interface JournalledRun<P> {
  readonly id: string;
  /** Start of the run in milliseconds since 1970. */
  readonly started: number;
  readonly detail: RunDetail;
  readonly items: readonly JournalItem<P>[];
}

/** The functions and names for resuming one kind of run. */
export interface Resumption<P> {
  readonly kind: string;
  /** Name of the kind in errors, such as `change of queue agents`. */
  readonly what: string;
  /** Name of one item, e.g. `text`; `change` by default. */
  readonly unit?: string;
  /** Whether an item may still be sent. By default, an item may be sent if its result is not final. */
  isLeft?(item: JournalItem<P>): boolean;
  /** Called first. Updates the items with an unknown outcome from other records. */
  settle?(journal: Journal, run: Omit<JournalledRun<P>, 'items'>): Promise<void>;
  /**
   * Called with the remaining items before the confirmation, and again after a slow confirmation. May throw to prevent the
   * requests.
   */
  check?(left: readonly JournalItem<P>[], run: JournalledRun<P>): Promise<void>;
  /** Yields the requests of the remaining items, not sent yet. */
  sends(left: readonly JournalItem<P>[], run: JournalledRun<P>): Iterable<() => Promise<unknown>>;
  /** Executes the run and reports it. */
  execute(journal: Journal, run: string): Promise<void>;
}

/**
 * Runs `--resume RUN`, for every kind of run: settles the items that were sent, asks for confirmation, and sends the
 * remaining items. Failed items are not retried.
 * @returns the number of remaining items.
 * @throws {CommandError} for a run that cannot be resumed, and the error of the run.
 */
export function resumeRun<P>(ctx: Context, word: string, resumption: Resumption<P>): Promise<number> {
  return withRunJournal(ctx, async (journal) => {
    const run = findResumable(ctx, journal, word, resumption);
    const detail = readDetail(journal, run.id);
    await resumption.settle?.(journal, { id: run.id, started: run.started, detail });
    const items = journal.items<P>(run.id);
    const left = items.filter((item) => resumption.isLeft?.(item) ?? isUnfinished(item));
    const journalled = { id: run.id, started: run.started, detail, items };
    await resumption.check?.(left, journalled);
    const number = counted(left.length, resumption.unit ?? 'change');
    ctx.out.preview(
      left.length === 0
        ? `run ${run.id} has no remaining changes: ${run.title}`
        : `run ${run.id}: ${number} left: ${run.title}`,
    );
    const shownAt = ctx.now();
    if (left.length > 0)
      await requireConfirmation(ctx, `Resume run ${run.id} (${number} left)?`, 'nothing was sent');
    if (ctx.dryRun) {
      await sendDryRun(resumption.sends(left, journalled), detail.skipped);
      return left.length;
    }
    if (!isQuickAnswer(shownAt, ctx.now())) await resumption.check?.(left, journalled);
    await resumption.execute(journal, run.id);
    return left.length;
  });
}

/**
 * Whether an item has no final result. Such an item is sent. If it may have been sent before, it is read back first.
 */
function isUnfinished({ status }: Pick<JournalItem<unknown>, 'status'>): boolean {
  return status !== 'ok' && status !== 'failed';
}
