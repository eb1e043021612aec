import { resolve } from 'node:path';
import { canonicalBaseUrl } from '../../platform/base-url.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, lookupError, notFoundError, usageError } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { Interrupted, isForeignInterrupt, isInterrupt } from '../../errors/interrupted.ts';
import type { RunOptions } from './execute-run.ts';
import { Journal } from './journal.ts';
import { withRunLock } from './lock.ts';
import { readDetail, type RunDetail } from './run-detail.ts';
import type { RunFilter, RunHead, RunSummary } from './run-summaries.ts';

/** The service that a run belongs to. */
export function serviceOf(ctx: Pick<Context, 'settings'>): string {
  return ctx.settings.baseUrl.value ?? '';
}

/**
 * Opens the journal, calls `work`, and closes the journal. Only for work that reads the journal; runs use
 * `withRunJournal`.
 */
export async function withJournal<T>(
  ctx: Pick<Context, 'paths' | 'now' | 'sentSecrets'>,
  work: (journal: Journal) => Promise<T>,
): Promise<T> {
  return closing(
    Journal.openToRead(ctx.paths.state, () => ctx.now(), ctx.sentSecrets),
    work,
  );
}

async function closing<T>(journal: Journal, work: (journal: Journal) => Promise<T>): Promise<T> {
  try {
    return await work(journal);
  } finally {
    journal.close();
  }
}

/**
 * Like `withJournal`, with the lock that a run needs, for work that creates a run. After an interruption before that, a
 * warning says that nothing was changed.
 * @throws {CommandError} `busy` (exit 11) while another run is in progress for this service.
 */
export async function withRunJournal<T>(ctx: Context, work: (journal: Journal) => Promise<T>): Promise<T> {
  let journal: Journal | undefined;
  return warningOfInterrupt(
    ctx,
    () => (journal?.hasCreated ? undefined : 'nothing was changed'),
    () => {
      ctx.signal.throwIfAborted();
      return withLock(ctx, () => closing((journal = openJournal(ctx)), work));
    },
  );
}

/** Reads what a command needs before its question. After an interruption, a warning says that nothing was changed. */
export function readBefore<T>(ctx: Pick<Context, 'out' | 'signal'>, read: () => Promise<T>): Promise<T> {
  return warningOfInterrupt(ctx, () => 'nothing was changed', read);
}

/**
 * Runs work and warns if it is interrupted, also by Ctrl-C in a prompt. `otherwise` returns the state after that; undefined
 * for no warning.
 */
export async function warningOfInterrupt<T>(
  ctx: Pick<Context, 'out' | 'signal'>,
  otherwise: () => Hint | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const atPrompt = error instanceof Interrupted || isForeignInterrupt(error);
    const isInterrupted = atPrompt || isInterrupt(error, ctx.signal);
    const state = isInterrupted ? otherwise() : undefined;
    if (state !== undefined) ctx.out.warn(nextStep`interrupted; ${state}`);
    throw error;
  }
}

/**
 * Runs a step with the lock of runs. The step gets whether no other process has changed the journal since the step before.
 * @throws {CommandError} `busy` (exit 11) while another run is in progress.
 */
export type LockedStep = <T>(step: (isUnchanged: boolean) => Promise<T>) => Promise<T>;

/**
 * Like `withRunJournal`, but only the steps hold the lock. A command that asks a person asks between two steps, so that
 * other runs do not wait for the answer. The second step must check what has changed since the first step.
 */
export function withStepsOfRun<T>(
  ctx: Context,
  work: (journal: Journal, locked: LockedStep) => Promise<T>,
): Promise<T> {
  return closing(openJournal(ctx), (journal) => {
    let version: number | undefined;
    const locked: LockedStep = (step) =>
      withLock(ctx, async () => {
        const result = await step(journal.foreignVersion() === version);
        version = journal.foreignVersion();
        return result;
      });
    return work(journal, locked);
  });
}

function withLock<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  return withRunLock(ctx.paths.state, serviceOf(ctx), ctx.signal, work);
}

function openJournal(ctx: Context): Journal {
  return Journal.open(ctx.paths.state, () => ctx.now(), ctx.sentSecrets);
}

/** Maximum number of runs that the error of an ambiguous ID lists. */
const maxCandidates = 10;

/**
 * Finds a run by its ID, an ID prefix, or `last`. @throws {CommandError} `not_found` (exit 3), `ambiguous_name` (exit
 * 2)
 */
export function findRun(journal: Journal, word: string): RunSummary {
  const [run, ...others] = journal.matching(word);
  if (run && others.length === 0) return run;
  const hint = nextStep`list the runs: ${ucctl('history list')}`;
  if (!run) {
    throw journal.list({ limit: 1 }).length > 0
      ? notFoundError(`run "${word}" not found`, hint)
      : notFoundError(
          `run "${word}" not found: this machine has no runs`,
          'use the machine and the user that made the change; runs are not shared',
        );
  }
  throw lookupError({
    kind: 'ambiguous',
    message: `run "${word}" is ambiguous: the IDs of ${others.length + 1} runs start with it`,
    hint,
    details: [run, ...others].slice(0, maxCandidates).map(({ id }) => id),
  });
}

/**
 * Finds the run that `--resume` names, of this kind and for this service. `what` names the kind in errors, such as
 * `run of texts`.
 * @throws {CommandError} `not_found`, `usage`, `other_service`, `run_undone`, `run_abandoned`
 */
export function findResumable(
  ctx: Pick<Context, 'settings'>,
  journal: Journal,
  word: string,
  { kind, what }: { readonly kind: string; readonly what: string },
): RunHead {
  const run = word === 'last' ? findLast(ctx, journal, kind) : findRun(journal, word);
  if (run.kind !== kind) {
    throw usageError(
      `run ${run.id} is not a ${what}`,
      nextStep`show the run: ${ucctl`history show ${run.id}`}`,
    );
  }
  requireSameService(ctx, run);
  requireResumable(run);
  return run;
}

/**
 * Finds the run of `--resume last`: the newest open run of this kind, service and profile. If no run is open, returns
 * the newest run, so that resuming twice is harmless.
 * @throws {CommandError} `not_found` (exit 3)
 */
function findLast(ctx: Pick<Context, 'settings'>, journal: Journal, kind: string): RunHead {
  const found =
    newestRun(ctx, journal, { kind, isOpen: true }) ??
    newestRun(ctx, journal, { kind, isOpen: false }, ({ state }) => state === 'done') ??
    newestRun(ctx, journal, { kind, isOpen: false });
  if (found) return found;
  throw notFoundError('no run to resume', nextStep`list the runs: ${ucctl('history list')}`);
}

/**
 * Returns the newest run of the current service and profile that meets the filter and the condition. Reads no items, and
 * only the details that are needed to find the run.
 */
export function newestRun(
  ctx: Pick<Context, 'settings'>,
  journal: Journal,
  filter: RunFilter,
  condition: (run: RunHead) => boolean = () => true,
): RunHead | undefined {
  return journal.heads(filter).find((run) => condition(run) && isOfProfile(ctx, journal, run));
}

/** Returns the runs of the current service and profile that meet the filter, newest first. */
export function runsOf(
  ctx: Pick<Context, 'settings'>,
  journal: Journal,
  filter: RunFilter,
): readonly RunSummary[] {
  return journal.list(filter).filter((run) => isOfProfile(ctx, journal, run));
}

/** Compares canonical addresses, so that the spelling does not matter. */
function isSameService(ctx: Pick<Context, 'settings'>, { baseUrl }: RunHead): boolean {
  return canonicalBaseUrl(baseUrl) === canonicalBaseUrl(serviceOf(ctx));
}

/** Whether a run was started with the current profile. A run without a recorded profile belongs to all profiles. */
function isOfProfile(ctx: Pick<Context, 'settings'>, journal: Journal, run: RunHead): boolean {
  if (!isSameService(ctx, run)) return false;
  const { profile } = readDetail(journal, run.id);
  return profile === undefined || profile === ctx.settings.profile.value;
}

/** Returns the profile and results file of a new run. */
export function runOrigin(
  ctx: Pick<Context, 'settings' | 'cwd'>,
  { results }: Pick<RunOptions, 'results'>,
): Pick<RunDetail, 'profile' | 'results'> {
  return {
    profile: ctx.settings.profile.value,
    ...(results !== undefined && { results: resolve(ctx.cwd, results) }),
  };
}

/**
 * Rejects a run that was undone or abandoned, because its remaining changes are no longer valid. @throws {CommandError}
 * (exit 11)
 */
function requireResumable({ id, state }: RunHead): void {
  if (state !== 'undone' && state !== 'abandoned') return;
  const code = state === 'undone' ? 'run_undone' : 'run_abandoned';
  throw new CommandError(code, Exit.conflict, `run ${id} was ${state}`, {
    hint: 'nothing was sent; to repeat the changes, run the command with the list again',
  });
}

/** Rejects a run for another service. @throws {CommandError} `other_service` (exit 11) */
export function requireSameService(ctx: Pick<Context, 'settings'>, run: RunHead): void {
  if (isSameService(ctx, run)) return;
  throw new CommandError('other_service', Exit.conflict, `run ${run.id} belongs to ${run.baseUrl}`, {
    hint: 'nothing was sent; select a profile of that service with -p NAME',
  });
}
