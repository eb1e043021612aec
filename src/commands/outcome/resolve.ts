import {
  resolveOutcomes,
  type Outcome,
  type SendJournal,
  type Resolution,
} from '../../features/outcome-journal/index.ts';
import type { Context } from '../../runtime/context.ts';
import { hintFor } from '../../runtime/hint-for.ts';
import { CommandError, Exit, notFoundError, usageError } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import { openJournal } from './open-journal.ts';
import { outcomeRows, type OutcomeRow } from './outcome.rows.ts';

export interface OutcomeResolveOptions {
  readonly ids: readonly string[];
  readonly all?: boolean;
  readonly soleSender?: boolean;
  /** The state that the user determined. */
  readonly as?: 'sent' | 'not-sent';
}

/**
 * `outcome resolve`: searches the message store and records the result in the journal. Makes no changes on the service.
 */
export async function resolveUnknown(ctx: Context, options: OutcomeResolveOptions): Promise<void> {
  if (options.ids.length === 0 && !options.all)
    throw usageError('outcome IDs are missing', 'specify outcome IDs, or use --all');
  if (options.ids.length > 0 && options.all)
    throw usageError('outcome IDs and --all cannot be used together', 'remove one of them');
  if (options.as !== undefined && options.all)
    throw usageError('--as cannot be used with --all', 'specify outcome IDs');
  if (options.as !== undefined && options.soleSender)
    throw usageError('--as cannot be used with --sole-sender', '--as skips the search; omit --sole-sender');
  const { journal, owner } = await openJournal(ctx, 'send');
  try {
    const all = await journal.list(owner);
    if (options.as !== undefined) return await resolveManually(ctx, journal, all, options.ids, options.as);
    const chosen = options.all ? all.filter(({ state }) => state === 'unknown') : findAll(all, options.ids);
    const settled = chosen.filter(({ state }) => state !== 'unknown');
    const unknown = chosen.filter(({ state }) => state === 'unknown');
    const resolutions =
      unknown.length === 0
        ? []
        : await resolveOutcomes({
            api: await ctx.api(),
            journal,
            unknown,
            all: await journal.listAll(owner.origin),
            owners: await ownersOf(ctx),
            isSoleSender: options.soleSender === true,
            now: () => ctx.now(),
            signal: ctx.signal,
          });
    const rows = resolutions.map((one) => toRow(ctx, one));
    await ctx.out.list(
      [...settled.map((outcome) => outcomeRows.row({}, outcome)), ...rows],
      outcomeRows.list,
    );
    const open = rows.filter(({ state }) => state === 'unknown').length;
    if (open === 0) return;
    throw new CommandError(
      'outcome_unknown',
      Exit.outcomeUnknown,
      `${open} of ${counted(chosen.length, 'outcome')} ${isOrAre(open)} still unknown`,
      { hint: nextOf(resolutions, options) },
    );
  } finally {
    journal.close();
  }
}

/** Returns the next step for the first outcome that is still unknown, and for several also the search for all. */
function nextOf(
  resolutions: readonly Resolution[],
  { all, soleSender }: Pick<OutcomeResolveOptions, 'all' | 'soleSender'>,
): Hint | undefined {
  const [first, second] = resolutions.map(({ reason }) => reason).filter((reason) => reason !== undefined);
  if (first === undefined || second === undefined || !all) return first;
  const again = ucctl`outcome resolve --all ${soleSender ? ['--sole-sender'] : []}`;
  return nextStep`${first}; to search for all of them again: ${again}`;
}

/** Records the state that the user determined, without a search. */
async function resolveManually(
  ctx: Context,
  journal: SendJournal,
  all: readonly Outcome[],
  ids: readonly string[],
  state: 'sent' | 'not-sent',
): Promise<void> {
  const chosen = findAll(all, ids);
  const settled = chosen.find((outcome) => outcome.state !== 'unknown');
  if (settled) throw notUnknown(`outcome ${settled.id} has the state ${settled.state}`);
  for (const outcome of ctx.dryRun ? [] : chosen) {
    const isRecorded = await journal.resolve(outcome, { state });
    if (!isRecorded) throw notUnknown(`another process has changed outcome ${outcome.id}`);
  }
  await ctx.out.list(
    chosen.map((outcome) => outcomeRows.row({}, { ...outcome, state })),
    outcomeRows.list,
  );
}

function notUnknown(why: string): CommandError {
  return new CommandError('conflict', Exit.conflict, `${why}; only unknown outcomes can be resolved`, {
    hint: ucctl('outcome list --state unknown'),
  });
}

/**
 * Returns all names under which the journal may have recorded the signed-in user: the sender, and for an access token
 * also the extension that the service reports.
 */
async function ownersOf(ctx: Context): Promise<readonly string[]> {
  const owner = await ctx.sender();
  if (owner.startsWith('extension ')) return [owner];
  const api = await ctx.api();
  const path = '/restapi/v1.0/account/~/extension/~';
  const me = await api.transport
    .send<{ readonly id: unknown }>({ method: 'GET', path }, { signal: ctx.signal })
    .catch(() => undefined);
  ctx.signal.throwIfAborted();
  return me === undefined ? [owner] : [owner, `extension ${String(me.id)}`];
}

/** Returns the outcome with the result of the search. */
function toRow(ctx: Context, { outcome, result, serviceId, reason }: Resolution): OutcomeRow {
  const state = result === 'undecided' ? 'unknown' : result;
  return {
    ...outcomeRows.row({}, { ...outcome, state, serviceId: serviceId ?? outcome.serviceId }),
    reason: reason && hintFor(ctx, reason),
  };
}

/** Returns each outcome once, because a second search for its message would find no other message. */
function findAll(all: readonly Outcome[], ids: readonly string[]): readonly Outcome[] {
  return [...new Set(ids.map((id) => find(all, id)))];
}

function find(all: readonly Outcome[], id: string): Outcome {
  const found = all.find((outcome) => String(outcome.id) === id);
  if (!found) throw notFoundError(`outcome "${id}" not found`, ucctl('outcome list'));
  return found;
}
