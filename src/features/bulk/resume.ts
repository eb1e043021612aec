import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import type { Journal, JournalItem } from './journal.ts';
import { readDetail, type RunDetail } from './run-detail.ts';
import { findResumable, warningOfInterrupt, withStepsOfRun } from './run-journal.ts';
import { sendDryRun, showNoRequests } from './dry-run.ts';
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
  /** Whether the command continues with another run, whose requests its dry run also shows. */
  readonly isFollowed?: boolean | undefined;
  /** Executes the run and reports it. */
  execute(journal: Journal, run: string): Promise<void>;
}

/** The items of a run that may still be sent. */
interface Left<P> {
  readonly title: string;
  readonly run: JournalledRun<P>;
  readonly items: readonly JournalItem<P>[];
}

/**
 * Runs `--resume RUN`, for every kind of run: settles the items that were sent, asks for confirmation, and sends the
 * remaining items. Failed items are not retried.
 * @returns the number of remaining items.
 * @throws {CommandError} for a run that cannot be resumed, and the error of the run.
 */
export function resumeRun<P>(ctx: Context, word: string, resumption: Resumption<P>): Promise<number> {
  return withStepsOfRun(ctx, async (journal, locked) => {
    let isStarted = false;
    const unlessStarted = <T>(work: () => Promise<T>): Promise<T> =>
      warningOfInterrupt(ctx, () => (isStarted ? undefined : 'nothing was sent'), work);
    const { title, run, items } = await unlessStarted(() =>
      locked(async () => {
        const left = await readLeft(ctx, journal, word, resumption);
        await resumption.check?.(left.items, left.run);
        return left;
      }),
    );
    const number = counted(items.length, resumption.unit ?? 'change');
    ctx.out.preview(
      items.length === 0
        ? `run ${run.id} has no remaining changes: ${title}`
        : `run ${run.id}: ${number} left: ${title}`,
    );
    const shownAt = ctx.now();
    if (items.length > 0)
      await requireConfirmation(ctx, `Resume run ${run.id} (${number} left)?`, 'nothing was sent');
    if (ctx.dryRun) {
      await sendDryRun(resumption.sends(items, run), run.detail.skipped);
      if (!resumption.isFollowed) await showNoRequests(ctx);
      return items.length;
    }
    const execute: Parameters<typeof locked>[0] = async (isUnchanged) => {
      const isCurrent = isUnchanged && isQuickAnswer(shownAt, ctx.now());
      const present = await readLeft(ctx, journal, run.id, resumption);
      requireConfirmed(items, present);
      if (!isCurrent) await resumption.check?.(present.items, present.run);
      ctx.signal.throwIfAborted();
      isStarted = true;
      await resumption.execute(journal, run.id);
    };
    await unlessStarted(() => locked(execute));
    return items.length;
  });
}

/** Finds a run and settles its items. */
async function readLeft<P>(
  ctx: Context,
  journal: Journal,
  word: string,
  resumption: Resumption<P>,
): Promise<Left<P>> {
  const { id, started, title } = findResumable(ctx, journal, word, resumption);
  const detail = readDetail(journal, id);
  await resumption.settle?.(journal, { id, started, detail });
  const items = journal.items<P>(id);
  const left = items.filter((item) => resumption.isLeft?.(item) ?? isUnfinished(item));
  return { title, run: { id, started, detail, items }, items: left };
}

/**
 * Requires that no item is left that was not confirmed. Another process may have sent some of the confirmed items.
 * @throws {CommandError} `changed_since` (exit 11)
 */
function requireConfirmed<P>(confirmed: readonly JournalItem<P>[], { run, items }: Left<P>): void {
  const known = new Set(confirmed.map(({ seq }) => seq));
  const details = items
    .filter(({ seq }) => !known.has(seq))
    .map(({ subject }) => `not confirmed: ${subject}`);
  if (details.length === 0) return;
  const message = `run ${run.id} has changed while ucctl waited for the confirmation`;
  throw new CommandError('changed_since', Exit.conflict, message, {
    details,
    hint: 'nothing was sent; run the command again',
  });
}

/**
 * Whether an item has no final result. Such an item is sent. If it may have been sent before, it is read back first.
 */
function isUnfinished({ status }: Pick<JournalItem<unknown>, 'status'>): boolean {
  return status !== 'ok' && status !== 'failed';
}
