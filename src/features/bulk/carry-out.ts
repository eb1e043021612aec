import { resolve } from 'node:path';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import type { Context } from '../../runtime/context.ts';
import { endingError } from './ending.ts';
import { runBulk, type BulkEnd, type BulkWork } from './engine.ts';
import { countItems, type ItemStatus, type Journal, type JournalItem } from './journal.ts';
import { maxErrorsOf } from './limits.ts';
import { progressText } from './progress.ts';
import type { RefusedRow } from './refused.ts';

/** What of a run the user may set. */
export interface RunOptions {
  readonly results?: string;
  readonly maxErrors?: string;
  readonly failFast?: boolean;
  readonly concurrency: number;
}

/** A run of the journal, and how it is told. */
export interface Carriage<P> {
  readonly ctx: Context;
  readonly journal: Journal;
  readonly run: string;
  readonly work: BulkWork<P>;
  readonly options: RunOptions;
  /** Changes in one request. */
  readonly maxItems: number;
  /** What is being done, beside the progress, e.g. `assigning agents`. */
  readonly label: string;
  /** The command that carries the run on, without the id. */
  readonly resume: string;
  /** Rows that nothing is sent for: the run fails for them. */
  readonly refused?: readonly RefusedRow[];
  /** How many rows were so already. */
  readonly unchanged?: number;
  /** How only the failed rows are tried again, where running the same command again would not do just that. */
  readonly again?: string;
  /** The text of the results file; `raw` without guards. */
  readonly resultsText?: (items: readonly JournalItem<P>[], raw: boolean) => string;
  /** Tells what became of the changes; not called for a run that was refused as a whole. */
  report(items: readonly JournalItem<P>[]): Promise<void>;
  /** Another error than the usual where it is not known of some whether they were done. */
  readonly unknownError?: (counts: Readonly<Record<ItemStatus, number>>, cause: unknown) => Error;
}

/** Carries a run to its end, writes the results file and tells what became of every change. @throws what the run ends with when it did not go through. */
export async function carryOut<P>(carriage: Carriage<P>): Promise<BulkEnd> {
  const { ctx, journal, run, work, options, maxItems, label, resume } = carriage;
  const maxErrors = maxErrorsOf(options, journal.items(run).length);
  const { concurrency } = options;
  const end = await ctx.out.progress(label, (update) =>
    runBulk<P>({
      journal,
      run,
      work,
      maxItems,
      concurrency,
      maxErrors,
      retries: ctx.settings.retry.value,
      signal: ctx.signal,
      sleep: (milliseconds) => ctx.sleep(milliseconds),
      onProgress: (progress) => update(progressText(progress)),
    }),
  );
  const items = journal.items<P>(run);
  const counts = countItems(items);
  if (counts.planned + counts.sent === 0) journal.finish(run, 'done');
  if (options.results !== undefined && carriage.resultsText) {
    await writeFileAtomic(resolve(ctx.cwd, options.results), carriage.resultsText(items, ctx.out.csvRaw));
  }
  const { refused = [], unchanged, again } = carriage;
  const reasons = [...refused.map(({ message }) => message), ...failuresOf(items)];
  const error = endingError({ end, counts, run, resume, refused: refused.length, unchanged, again, reasons });
  if (error !== undefined && error === end.error) throw error;
  await carriage.report(items);
  if (end.stopped === 'interrupted') {
    ctx.out.note(`go on: ${resume} ${run}`);
    ctx.signal.throwIfAborted();
  }
  if (counts.unknown > 0 && carriage.unknownError) throw carriage.unknownError(counts, end.error);
  if (error !== undefined) throw error;
  return end;
}

function failuresOf(items: readonly JournalItem<unknown>[]): readonly string[] {
  return items.flatMap(({ status, subject, message }) =>
    status === 'failed' && message !== undefined ? [`${subject}: ${message}`] : [],
  );
}

/** A list that asks for nothing to be sent. */
export interface IdleRun {
  readonly results?: string | undefined;
  readonly refused: readonly RefusedRow[];
  /** How many rows are so already. */
  readonly unchanged: number;
  /** The text of the results file; `raw` without guards. */
  resultsText(raw: boolean): string;
  /** Tells of its rows. */
  report(): Promise<void>;
}

/** Tells of a list that asks for nothing to be sent. @throws {CommandError} `partial` when rows of it were refused. */
export async function tellIdle(ctx: Context, idle: IdleRun): Promise<void> {
  const { results, refused, unchanged } = idle;
  if (results !== undefined) {
    await writeFileAtomic(resolve(ctx.cwd, results), idle.resultsText(ctx.out.csvRaw));
  }
  await idle.report();
  const error = endingError({
    end: { stopped: undefined, error: undefined },
    counts: countItems([]),
    run: '',
    resume: '',
    refused: refused.length,
    unchanged,
    reasons: refused.map(({ message }) => message),
  });
  if (error !== undefined) throw error;
}
