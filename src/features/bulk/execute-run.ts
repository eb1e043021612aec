import { resolve } from 'node:path';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { AnnouncedItems } from './announced-items.ts';
import { runError, type RunUnit } from './run-error.ts';
import { interruptText, noteTotal } from './run-end.ts';
import type { BulkEnd, BulkWork } from './bulk-work.ts';
import { runBulk } from './engine.ts';
import type { Journal, JournalItem } from './journal.ts';
import { countItems, type ItemStatus } from './run-summaries.ts';
import { maxErrorsOf } from './limits.ts';
import { progressText } from './progress.ts';
import { skippedDetail, type SkippedRow } from './skipped-rows.ts';
import { ResultsFiles } from './results-files.ts';
import { resultsTable, type ResultRows, type RunInput } from './results.ts';
import { readDetail, type RunDetail } from './run-detail.ts';
import { showNoRequests } from './dry-run.ts';
import { DatabaseError } from '../../platform/database-error.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { type CommandText, nextStep, ucctl, type Hint } from '../../errors/hint.ts';

/** Options of every command that starts or resumes a run. */
export type RunOptions = Pick<BulkOptions, 'resume' | 'results' | 'maxErrors' | 'failFast' | 'concurrency'>;

/** A run of the journal, with the data for its execution and report. */
export interface RunRequest<P> {
  readonly ctx: Context;
  readonly journal: Journal;
  readonly run: string;
  readonly work: BulkWork<P>;
  readonly options: RunOptions;
  /** Maximum number of changes in one request. */
  readonly maxItems: number;
  /** The words for one item in errors; by default a change. */
  readonly unit?: RunUnit;
  /** Label of the progress bar, such as `assigning agents`. */
  readonly label: string;
  /** The command that resumes the run, without the ID. */
  readonly resume: CommandText;
  /** Whether the same command is rejected until the run is finished. */
  readonly blocksRepeat?: boolean;
  /** Number of rows that were already up to date. */
  readonly unchanged?: number;
  /** Whether `history undo` can undo the run; a note on the terminal then says so. */
  readonly canUndo?: boolean;
  /** Returns where changes were made, such as ` in 3 queues`, for the total of a run that can be undone. */
  readonly placeOf?: (made: readonly JournalItem<P>[]) => string;
  /**
   * The hint for sending only the failed and skipped rows. Set if running the same command again would send more than
   * these rows.
   */
  readonly again?: Hint;
  /** The source of the results for the results file. Absent for a run without a list. */
  readonly rows?: ResultRows<P>;
  /**
   * Shows the results of the changes; not called for a run that was rejected as a whole. `again` is the command that
   * shows the results again.
   */
  report(items: readonly JournalItem<P>[], again: CommandText): Promise<void>;
  /** Replaces the usual error for a run with unknown outcomes. */
  readonly unknownError?: (counts: Readonly<Record<ItemStatus, number>>, cause: unknown) => Error;
}

/** The words for the items of most runs. */
const changeUnit: RunUnit = { noun: 'change', done: 'made' };

/**
 * Executes a run to its end, updates its results file during the run, and shows the result of every change.
 * @throws the error of `runError` when the run did not make all of its changes.
 */
export async function executeRun<P>(request: RunRequest<P>): Promise<BulkEnd> {
  try {
    return await execute(request);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const what = isComplete(request)
      ? 'all changes are made, but the end of the run was not recorded'
      : 'the run stopped';
    // The hint of the error is to repeat the command, but the run may have made changes.
    throw new CommandError(error.code, Exit.local, `${what}: ${error.message}`, {
      hint: nextStep`correct the cause, then resume the run: ${ucctl`${request.resume} ${request.run}`}`,
      cause: error,
    });
  }
}

/** Whether the journal contains only changes that were made. False if the journal cannot be read. */
function isComplete({ journal, run }: Pick<RunRequest<never>, 'journal' | 'run'>): boolean {
  try {
    return journal.items(run).every(({ status }) => status === 'ok');
  } catch {
    return false;
  }
}

async function execute<P>(request: RunRequest<P>): Promise<BulkEnd> {
  const { ctx, journal, run } = request;
  const detail = readDetail(journal, run);
  const { results, announced } = resultsOf(request, detail);
  await beginResults(results, journal, run);
  // The same command with --resume continues the run.
  ctx.onRun(run, request.blocksRepeat === true && request.options.resume === undefined);
  const end = await sendChanges(request, results, announced);
  const items = journal.items<P>(run);
  const counts = countItems(items);
  // The file is correct even if the journal cannot record the end.
  const unwritten = await results.write().catch((failure: CommandError) => failure);
  const isMade = counts.ok === items.length;
  if (counts.planned + counts.sent === 0) journal.finish(run, 'done', isMade ? detail : {});
  await reportEnd(request, detail, { end, items, counts, unwritten });
  return end;
}

/** Sends the changes, and updates the results files during the run. */
function sendChanges<P>(
  { ctx, journal, run, work, options, maxItems, label }: RunRequest<P>,
  results: ResultsFiles,
  announced: AnnouncedItems,
): Promise<BulkEnd> {
  const maxErrors = maxErrorsOf(options, journal.items(run).length);
  return ctx.out.progress(label, async (update) => {
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
        // Changes that can be read back may be sent again, so their rows need no announcement.
        ...(!work.observe && { beforeSend: (seqs: readonly number[]) => announced.announce(seqs) }),
        onProgress(progress) {
          results.changed();
          update(progressText(progress));
        },
      });
    } catch (error) {
      // The run may have sent changes that the files still show as not sent. An earlier write must not end after this one.
      await results.settle();
      announced.clear();
      await results.write().catch(() => undefined);
      throw error;
    } finally {
      await results.settle();
      announced.clear();
    }
  });
}

/** The state of a run after its last request. */
interface RunEnd<P> {
  readonly end: BulkEnd;
  readonly items: readonly JournalItem<P>[];
  readonly counts: Readonly<Record<ItemStatus, number>>;
  /** The error of the last write of the results files. */
  readonly unwritten: CommandError | void;
}

/** Shows the result of every change. @throws the error of the run, if it has one. */
async function reportEnd<P>(
  request: RunRequest<P>,
  { skipped = [], undoes }: RunDetail,
  { end, items, counts, unwritten }: RunEnd<P>,
): Promise<void> {
  const { ctx, run, options, resume, unchanged, unit = changeUnit } = request;
  const again = unwritten ? writeAgain(request) : (request.again ?? undoAgain(undoes));
  const reasons = [...skipped.map(skippedDetail), ...failuresOf(items)];
  const isResumed = options.resume !== undefined;
  const ended = { end, counts, run, unit, resume, skipped: skipped.length, unchanged, again, reasons };
  const error = runError({ ...ended, isResumed });
  const resumeText = nextStep`resume the run: ${resume} ${run}`;
  // The error of the run is more important. If the run has no error, the missing file is the error.
  if (unwritten && error !== undefined && messageOf(end.error) !== unwritten.message)
    ctx.out.warn(unwritten.message);
  if (error !== undefined && error === end.error) {
    if (counts.planned > 0 && undoes === undefined) noteUnstarted(ctx, unit, resumeText);
    throw error;
  }
  await request.report(items, ucctl`history show ${run}`);
  if (end.stopped === 'interrupted') ctx.out.warn(nextStep`${interruptText(counts, unit)}; ${resumeText}`);
  noteEnd(request, items, counts, undoes);
  if (end.stopped === 'interrupted') ctx.signal.throwIfAborted();
  throwError(request, { counts, end, unwritten }, error);
}

/** Notes the total of a run, and how to undo the run. */
function noteEnd<P>(
  { ctx, run, options, placeOf, canUndo }: RunRequest<P>,
  items: readonly JournalItem<P>[],
  counts: Readonly<Record<ItemStatus, number>>,
  undoes: string | undefined,
): void {
  if (!canUndo || !ctx.out.isTerminal) return;
  noteTotal({ ctx, placeOf }, items, counts);
  // A resumed run may be older than another run, and `last` rejects an undo.
  const word = options.resume === undefined ? 'last' : run;
  if (counts.ok > 0 && undoes === undefined) ctx.out.note(nextStep`Undo: ${ucctl`history undo ${word}`}`);
}

/**
 * Reports a run whose first request failed: the hint of the error may be to repeat the command, which is blocked while the
 * run is open. Not called for an undo, which is abandoned, so that the same command undoes the run.
 */
function noteUnstarted({ out }: Context, unit: RunUnit, resumeText: Hint): void {
  out.warn(nextStep`no ${unit.noun} of this run was ${unit.done}; ${resumeText}`);
}

/** The next step after an undo that failed in part. `history undo last` now rejects the undo. */
function undoAgain(undoes: string | undefined): Hint | undefined {
  if (undoes === undefined) return undefined;
  return nextStep`correct the cause, then undo the remaining changes: ${ucctl`history undo ${undoes} --force`}`;
}

/** Throws the most important error of a run, if there is one. */
function throwError(
  { run, resume, unknownError }: Pick<RunRequest<never>, 'run' | 'resume' | 'unknownError'>,
  { counts, end, unwritten }: Omit<RunEnd<never>, 'items'>,
  error: unknown,
): void {
  if (counts.unknown > 0 && unknownError) throw unknownError(counts, end.error);
  if (error !== undefined) throw error;
  if (unwritten) throw withoutResults(unwritten, writeAgain({ resume, run }));
}

/** The next step after results files that could not be written: resuming a finished run only writes them. */
function writeAgain({ resume, run }: Pick<RunRequest<never>, 'resume' | 'run'>): Hint {
  return nextStep`free up disk space, then write the results file again: ${ucctl`${resume} ${run}`}`;
}

/** Returns the error of a run that made all of its changes, but whose results file could not be written. */
function withoutResults({ code, exit, message }: CommandError, hint: Hint): CommandError {
  return new CommandError(code, exit, `all changes are made, but ucctl ${message}`, { hint });
}

/** Returns the results file that the run recorded, and the results file that this command names. */
function resultsOf<P>(
  { ctx, journal, run, options, rows }: RunRequest<P>,
  detail: RunDetail,
): { readonly results: ResultsFiles; readonly announced: AnnouncedItems } {
  const own = options.results === undefined ? [] : [resolve(ctx.cwd, options.results)];
  const files = [...new Set([...(detail.results === undefined ? [] : [detail.results]), ...own])];
  const results = new ResultsFiles(rows ? files : [], ctx.out.csvRaw, () => {
    const items = shownItems(journal.eachItem<P>(run), announced);
    return resultsTable(detail.input, rows?.outcomes(items) ?? [], rows);
  });
  const announced = new AnnouncedItems(results, () => journal.plannedSeqs(run));
  return { results, announced };
}

function* shownItems<P>(
  items: Iterable<JournalItem<P>>,
  announced: AnnouncedItems,
): Generator<JournalItem<P>, void, undefined> {
  for (const item of items) yield announced.shown(item);
}

/**
 * Writes the results files before the first request. If that fails, the run does not start. The run is then abandoned,
 * unless a part of the run was sent before.
 */
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

/** A list that requires no requests. */
export interface EmptyRun {
  readonly results?: string | undefined;
  readonly input: RunInput;
  readonly skipped: readonly SkippedRow[];
  /** Number of rows that are already up to date. */
  readonly unchanged: number;
  readonly rows: ResultRows<never>;
  /** Shows the rows of the list. */
  report(): Promise<void>;
}

/** Reports a list that needs no requests. @throws {CommandError} `partial` when rows of it were skipped. */
export async function reportEmptyRun(ctx: Context, empty: EmptyRun): Promise<void> {
  const { results, input, skipped, unchanged, rows } = empty;
  const files = results === undefined ? [] : [resolve(ctx.cwd, results)];
  await new ResultsFiles(files, ctx.out.csvRaw, () => resultsTable(input, rows.outcomes([]), rows)).write();
  const isShown = ctx.dryRun && (await showNoRequests(ctx));
  if (!isShown) await empty.report();
  const error = runError({
    end: { stopped: undefined, error: undefined },
    counts: countItems([]),
    run: '',
    unit: changeUnit,
    // This value is not used, because an empty run has nothing to resume.
    resume: ucctl(''),
    skipped: skipped.length,
    unchanged,
    reasons: skipped.map(skippedDetail),
  });
  if (error !== undefined) throw error;
}
