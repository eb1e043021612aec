import { resolve } from 'node:path';
import type { Context } from '../../runtime/context.ts';
import { endingError } from './ending.ts';
import { runBulk, type BulkEnd, type BulkWork } from './engine.ts';
import { countItems, type ItemStatus, type Journal, type JournalItem } from './journal.ts';
import { maxErrorsOf } from './limits.ts';
import { progressText } from './progress.ts';
import { refusedLine, type RefusedRow } from './refused.ts';
import { ResultsFiles } from './results-files.ts';
import { resultsText, type ResultRows, type RunInput } from './results.ts';
import { type CommandText, hintText, ucctl } from '../../errors/hint.ts';

/** What of a run the user may set. */
export interface RunOptions {
  readonly results?: string;
  readonly maxErrors?: string;
  readonly failFast?: boolean;
  readonly concurrency: number;
}

/** What the journal holds of every run beside its items. */
export interface RunDetail {
  readonly input: RunInput;
  /** Rows that nothing is sent for. Absent in a run of an older version. */
  readonly refused?: readonly RefusedRow[];
  /** Absolute path of its results file, which resuming updates. */
  readonly results?: string;
  /** The profile that started it. Absent in a run of an older version. */
  readonly profile?: string;
}

/** A run of the journal, and how it is reported. */
export interface RunRequest<P> {
  readonly ctx: Context;
  readonly journal: Journal;
  readonly run: string;
  readonly work: BulkWork<P>;
  readonly options: RunOptions;
  /** Changes in one request. */
  readonly maxItems: number;
  /** What is being done, beside the progress, e.g. `assigning agents`. */
  readonly label: string;
  /** The command that resumes the run, without the id. */
  readonly resume: CommandText;
  /** How many rows were up to date already. */
  readonly unchanged?: number;
  /** How only the failed rows are retried, where running the same command again would not do just that. */
  readonly again?: string;
  /** Absent for a run without a list. */
  readonly rows?: ResultRows<P>;
  /** Shows what became of the changes; not called for a run that was rejected as a whole. */
  report(items: readonly JournalItem<P>[]): Promise<void>;
  /** Another error than the usual where it is not known of some whether they were done. */
  readonly unknownError?: (counts: Readonly<Record<ItemStatus, number>>, cause: unknown) => Error;
}

/**
 * Executes a run to its end, keeps its results file up to date meanwhile, and shows what became of every change.
 * @throws what the run ends with when it did not go through.
 */
export async function executeRun<P>(request: RunRequest<P>): Promise<BulkEnd> {
  const { ctx, journal, run, work, options, maxItems, label, resume } = request;
  const detail = journal.detail(run) as RunDetail;
  const maxErrors = maxErrorsOf(options, journal.items(run).length);
  const results = resultsOf(request, detail);
  await beginResults(results, journal, run);
  const end = await ctx.out.progress(label, async (update) => {
    try {
      return await runBulk<P>({
        journal,
        run,
        work,
        maxItems,
        maxErrors,
        concurrency: options.concurrency,
        retries: ctx.settings.retry.value,
        signal: ctx.signal,
        sleep: (milliseconds) => ctx.sleep(milliseconds),
        onProgress(progress) {
          results.changed();
          update(progressText(progress));
        },
      });
    } finally {
      await results.settle();
    }
  });
  const items = journal.items<P>(run);
  const counts = countItems(items);
  if (counts.planned + counts.sent === 0) journal.finish(run, 'done');
  await results.write();
  const { refused = [] } = detail;
  const { unchanged, again } = request;
  const reasons = [...refused.map(refusedLine), ...failuresOf(items)];
  const error = endingError({ end, counts, run, resume, refused: refused.length, unchanged, again, reasons });
  if (error !== undefined && error === end.error) throw error;
  await request.report(items);
  if (end.stopped === 'interrupted') {
    ctx.out.warn(`interrupted; resume the run: ${hintText(resume)} ${run}`);
    ctx.signal.throwIfAborted();
  }
  if (counts.unknown > 0 && request.unknownError) throw request.unknownError(counts, end.error);
  if (error !== undefined) throw error;
  return end;
}

/** Both the file that the run has and the one that this command names. */
function resultsOf<P>({ ctx, journal, run, options, rows }: RunRequest<P>, detail: RunDetail): ResultsFiles {
  const own = options.results === undefined ? [] : [resolve(ctx.cwd, options.results)];
  const files = [...new Set([...(detail.results === undefined ? [] : [detail.results]), ...own])];
  return new ResultsFiles(rows ? files : [], () => {
    const outcomes = rows?.outcomes(journal.items<P>(run)) ?? [];
    return resultsText(detail.input, outcomes, { raw: ctx.out.csvRaw, rest: rows?.rest });
  });
}

/** A run whose results cannot be written does not begin: it must not stay open either, unless a part of it was sent before. */
async function beginResults(results: ResultsFiles, journal: Journal, run: string): Promise<void> {
  try {
    await results.write();
  } catch (error) {
    if (journal.items(run).every(({ attempts }) => attempts === 0)) journal.finish(run, 'abandoned');
    throw error;
  }
}

function failuresOf(items: readonly JournalItem<unknown>[]): readonly string[] {
  return items.flatMap(({ status, subject, message }) =>
    status === 'failed' && message !== undefined ? [`${subject}: ${message}`] : [],
  );
}

/** A list that asks for nothing to be sent. */
export interface IdleRun {
  readonly results?: string | undefined;
  readonly input: RunInput;
  readonly refused: readonly RefusedRow[];
  /** How many rows are up to date already. */
  readonly unchanged: number;
  readonly rows: ResultRows<never>;
  /** Shows its rows. */
  report(): Promise<void>;
}

/** Reports a list that asks for nothing to be sent. @throws {CommandError} `partial` when rows of it were skipped. */
export async function reportIdleRun(ctx: Context, idle: IdleRun): Promise<void> {
  const { results, input, refused, unchanged, rows } = idle;
  const files = results === undefined ? [] : [resolve(ctx.cwd, results)];
  await new ResultsFiles(files, () =>
    resultsText(input, rows.outcomes([]), { raw: ctx.out.csvRaw, rest: rows.rest }),
  ).write();
  await idle.report();
  const error = endingError({
    end: { stopped: undefined, error: undefined },
    counts: countItems([]),
    run: '',
    // Nothing is sent, so that nothing is left to resume.
    resume: ucctl(''),
    refused: refused.length,
    unchanged,
    reasons: refused.map(refusedLine),
  });
  if (error !== undefined) throw error;
}
