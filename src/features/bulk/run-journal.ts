import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError, usageError } from '../../runtime/errors.ts';
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
  throw notFoundError(`there is no run "${word}", or several begin so`, 'the runs: ucctl history list');
}

/**
 * The run that `--resume` names, of this kind and at this service. `what` is what such a run is, e.g. `run of texts`.
 * @throws {CommandError} `not_found`, `usage`, `other_service`, `run_undone`
 */
export function findResumable(
  ctx: Pick<Context, 'settings'>,
  journal: Journal,
  word: string,
  { kind, what }: { readonly kind: string; readonly what: string },
): RunSummary {
  const run = findRun(journal, word);
  if (run.kind !== kind) {
    throw usageError(`the run ${run.id} is no ${what}`, `look at it: ucctl history show ${run.id}`);
  }
  requireSameService(ctx, run);
  requireStanding(run);
  return run;
}

/** @throws {CommandError} `run_undone` (exit 11) for a run that was taken back: its journal tells of changes that are no longer there. */
function requireStanding(run: RunSummary): void {
  if (run.state !== 'undone') return;
  throw new CommandError('run_undone', Exit.conflict, `the run ${run.id} was taken back`, {
    hint: 'nothing was sent; to make its changes again, run the command with the list again',
  });
}

/** @throws {CommandError} `other_service` (exit 11) for a run at another service than the present one. */
export function requireSameService(ctx: Pick<Context, 'settings'>, run: RunSummary): void {
  if (run.baseUrl === serviceOf(ctx)) return;
  throw new CommandError('other_service', Exit.conflict, `the run ${run.id} belongs to ${run.baseUrl}`, {
    hint: 'name the profile of that service with -p NAME; nothing was sent',
  });
}
