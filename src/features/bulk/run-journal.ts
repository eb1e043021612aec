import { resolve } from 'node:path';
import { canonicalBaseUrl } from '../../platform/base-url.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { RunDetail, RunOptions } from './execute-run.ts';
import { Journal, type RunSummary } from './journal.ts';
import { withRunLock } from './lock.ts';

/** The service that a run belongs to. */
export function serviceOf(ctx: Pick<Context, 'settings'>): string {
  return ctx.settings.baseUrl.value ?? '';
}

/** Opens the journal for a piece of work that reads, and closes it after. */
export async function withJournal<T>(
  ctx: Pick<Context, 'paths' | 'now'>,
  work: (journal: Journal) => Promise<T>,
): Promise<T> {
  const journal = Journal.open(ctx.paths.state, () => ctx.now());
  try {
    return await work(journal);
  } finally {
    journal.close();
  }
}

/** As `withJournal`, alone at this service: for a run. @throws {CommandError} `busy` (exit 11) while another one is at work. */
export function withRunJournal<T>(ctx: Context, work: (journal: Journal) => Promise<T>): Promise<T> {
  return withRunLock(ctx.paths.state, serviceOf(ctx), ctx.signal, () => withJournal(ctx, work));
}

/** @throws {CommandError} `not_found` (exit 3) */
export function findRun(journal: Journal, word: string): RunSummary {
  const run = journal.find(word);
  if (run) return run;
  throw notFoundError(
    `there is no run "${word}", or several begin so`,
    nextStep`the runs: ${ucctl('history list')}`,
  );
}

/**
 * The run that `--resume` names, of this kind and at this service. `what` is what such a run is, e.g. `run of texts`.
 * @throws {CommandError} `not_found`, `usage`, `other_service`, `run_undone`, `run_abandoned`
 */
export function findResumable(
  ctx: Pick<Context, 'settings'>,
  journal: Journal,
  word: string,
  { kind, what }: { readonly kind: string; readonly what: string },
): RunSummary {
  const run = word === 'last' ? findLast(ctx, journal, kind) : findRun(journal, word);
  if (run.kind !== kind) {
    throw usageError(
      `the run ${run.id} is not a ${what}`,
      nextStep`look at it: ${ucctl(`history show ${run.id}`)}`,
    );
  }
  requireSameService(ctx, run);
  requireStanding(run);
  return run;
}

/**
 * `--resume last`: the newest open run of this kind, service and profile; the newest one where none is open, so that resuming twice does no harm.
 * @throws {CommandError} `not_found` (exit 3)
 */
function findLast(ctx: Pick<Context, 'settings'>, journal: Journal, kind: string): RunSummary {
  const newest = (where: (run: RunSummary) => boolean): RunSummary | undefined =>
    journal.list().find((run) => where(run) && isOwn(ctx, journal, kind, run));
  const run = newest(({ state }) => state === 'open') ?? newest(({ state }) => state === 'done');
  const found = run ?? newest(() => true);
  if (found) return found;
  throw notFoundError('there is no run to resume', nextStep`the runs: ${ucctl('history list')}`);
}

/**
 * The runs of a kind at the present service and of the present profile, newest first.
 * @param where asked first: the details of a run may be long
 */
export function runsOf(
  ctx: Pick<Context, 'settings'>,
  journal: Journal,
  kind: string,
  where: (run: RunSummary) => boolean,
): readonly RunSummary[] {
  return journal.list().filter((run) => where(run) && isOwn(ctx, journal, kind, run));
}

/** However the address is spelled. */
function isSameService(ctx: Pick<Context, 'settings'>, { baseUrl }: RunSummary): boolean {
  return canonicalBaseUrl(baseUrl) === canonicalBaseUrl(serviceOf(ctx));
}

/** A run that recorded no profile is of every profile. */
function isOwn(ctx: Pick<Context, 'settings'>, journal: Journal, kind: string, run: RunSummary): boolean {
  if (run.kind !== kind || !isSameService(ctx, run)) return false;
  const { profile } = journal.detail(run.id) as RunDetail;
  return profile === undefined || profile === ctx.settings.profile.value;
}

/** What every new run records of where it was started. */
export function runOrigin(
  ctx: Pick<Context, 'settings' | 'cwd'>,
  { results }: Pick<RunOptions, 'results'>,
): Pick<RunDetail, 'profile' | 'results'> {
  return {
    profile: ctx.settings.profile.value,
    ...(results !== undefined && { results: resolve(ctx.cwd, results) }),
  };
}

/** @throws {CommandError} (exit 11) for a run that was undone or abandoned: its journal no longer says what is to be done. */
function requireStanding({ id, state }: RunSummary): void {
  if (state !== 'undone' && state !== 'abandoned') return;
  throw new CommandError(`run_${state}`, Exit.conflict, `the run ${id} was ${state}`, {
    hint: 'nothing was sent; to make its changes again, run the command with the list again',
  });
}

/** @throws {CommandError} `other_service` (exit 11) for a run at another service than the present one. */
export function requireSameService(ctx: Pick<Context, 'settings'>, run: RunSummary): void {
  if (isSameService(ctx, run)) return;
  throw new CommandError('other_service', Exit.conflict, `the run ${run.id} belongs to ${run.baseUrl}`, {
    hint: 'name the profile of that service with -p NAME; nothing was sent',
  });
}
