import {
  resolveOutcomes,
  type Outcome,
  type OutcomeJournal,
  type Verdict,
} from '../../features/outcome-journal/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError, usageError } from '../../errors/command.ts';
import { hintText, ucctl } from '../../errors/hint.ts';
import { openJournal } from './open-journal.ts';
import { outcomeView, toRecord, type OutcomeRecord } from './outcome-view.ts';

export interface OutcomeResolveOptions {
  readonly ids: readonly string[];
  readonly all?: boolean;
  /** What the user found out. */
  readonly as?: 'sent' | 'not-sent';
}

/** `outcome resolve`: looks, and writes down what it found. Sends nothing. */
export async function resolveUnknown(ctx: Context, options: OutcomeResolveOptions): Promise<void> {
  if (options.ids.length === 0 && !options.all)
    throw usageError('no outcome is named', 'give its ID, or --all');
  if (options.as !== undefined && options.all)
    throw usageError('--as settles outcomes that are named', 'give their IDs instead of --all');
  const { journal, owner } = openJournal(ctx);
  try {
    const all = journal.list(owner, ctx.now());
    if (options.as !== undefined) return await settleByHand(ctx, journal, all, options.ids, options.as);
    const chosen = options.all
      ? all.filter(({ state }) => state === 'unknown')
      : options.ids.map((id) => find(all, id));
    const settled = chosen.filter(({ state }) => state !== 'unknown');
    const unknown = chosen.filter(({ state }) => state === 'unknown');
    const verdicts =
      unknown.length === 0
        ? []
        : await resolveOutcomes({
            api: await ctx.api(),
            journal,
            unknown,
            all: journal.everything(owner.origin, ctx.now()),
            owners: await ownersOf(ctx),
            now: () => ctx.now(),
            signal: ctx.signal,
          });
    const rows = verdicts.map(toRow);
    await ctx.out.list([...settled.map(toRecord), ...rows], outcomeView);
    const open = rows.filter(({ state }) => state === 'unknown').length;
    if (open === 0) return;
    throw new CommandError(
      'outcome_unknown',
      Exit.outcomeUnknown,
      `${open} of ${chosen.length} are still unknown`,
      {
        hint: verdicts.find(({ why }) => why !== undefined)?.why,
      },
    );
  } finally {
    journal.close();
  }
}

/** Records what the user knows; sends and looks up nothing. */
async function settleByHand(
  ctx: Context,
  journal: OutcomeJournal,
  all: readonly Outcome[],
  ids: readonly string[],
  state: 'sent' | 'not-sent',
): Promise<void> {
  const chosen = ids.map((id) => find(all, id));
  const settled = chosen.find((outcome) => outcome.state !== 'unknown');
  if (settled) {
    const message = `outcome ${settled.id} is ${settled.state}, and only unknown ones can be settled`;
    throw new CommandError('conflict', Exit.conflict, message, {
      hint: ucctl('outcome list --state unknown'),
    });
  }
  if (!ctx.dryRun) for (const { id } of chosen) journal.end(id, state, undefined, ctx.now());
  await ctx.out.list(
    chosen.map((outcome) => toRecord({ ...outcome, state })),
    outcomeView,
  );
}

/** Who is signed in: as the session says, and as the service says of a token that is no session of ours. */
async function ownersOf(ctx: Context): Promise<readonly string[]> {
  const auth = await ctx.auth();
  const owner = await auth.owner();
  if (owner.startsWith('extension ')) return [owner];
  const api = await ctx.api();
  const path = '/restapi/v1.0/account/~/extension/~';
  const me = await api.transport
    .send<{ readonly id: unknown }>({ method: 'GET', path }, { signal: ctx.signal })
    .catch(() => undefined);
  ctx.signal.throwIfAborted();
  return me === undefined ? [owner] : [owner, `extension ${String(me.id)}`];
}

/** The outcome as it is now. */
function toRow({ outcome, verdict, serviceId, why }: Verdict): OutcomeRecord {
  const state = verdict === 'undecided' ? 'unknown' : verdict;
  return {
    ...toRecord({ ...outcome, state, serviceId: serviceId ?? outcome.serviceId }),
    why: why && hintText(why),
  };
}

function find(all: readonly Outcome[], id: string): Outcome {
  const found = all.find((outcome) => String(outcome.id) === id);
  if (!found) throw notFoundError(`there is no outcome ${id}`, ucctl('outcome list'));
  return found;
}
