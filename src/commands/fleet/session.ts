import {
  addSession,
  enrolledSessions,
  rejectionsOfSessions,
  removeSession,
  signInLosses,
  type RejectionSummary,
} from '../../features/fleet/index.ts';
import { requireArchiveAccount } from '../../features/mirror/postgres/index.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { lossOf, signInAgain } from './lost-sign-in.ts';
import { sessionRows } from './fleet.rows.ts';

export interface SessionOptions {
  readonly action: 'list' | 'add' | 'remove';
}

/** `fleet session`: the sign-ins that all workers use. */
export async function session(ctx: Context, { action }: SessionOptions): Promise<void> {
  const db = await ctx.store();
  const { profile, token, store } = ctx.settings;
  if (action === 'remove' && !(await removeSession(db, profile.value))) {
    throw notFoundError(
      `sign-in of profile "${profile.value}" not found in the fleet`,
      nextStep`to list the sign-ins: ${ucctl('fleet session')}`,
    );
  }
  if (action === 'add') {
    if (token.value !== undefined || store.value !== 'postgres') {
      const why =
        token.value === undefined
          ? `the session is in the ${store.value} store of this machine`
          : `the session is ${token.source}`;
      throw new CommandError(
        'session_not_shared',
        Exit.local,
        `other machines cannot use the session of profile "${profile.value}": ${why}`,
        { hint: nextStep`set UCCTL_STORE_KEY_FILE, and sign in again: ${ucctl('login')}` },
      );
    }
    const { origin, owner, who, api } = await ctx.fleetSession();
    await requireArchiveAccount(ctx, api);
    await addSession(db, { profile: profile.value, origin, owner, who });
  }
  const sessions = await enrolledSessions(db);
  const rejections = await rejectionsOfSessions(db);
  const rows = sessions.map(({ profile: name, who, origin, owner, addedAt, problem }) => ({
    profile: name,
    user: who,
    origin,
    addedAt: addedAt.toISOString(),
    problem: problem ?? rejectionText(rejections.get(owner)),
  }));
  await ctx.out.list(rows, sessionRows.list);
  const listed = new Set(rows.filter(({ problem }) => problem !== null).map(({ profile: name }) => name));
  for (const loss of await signInLosses(db))
    if (!listed.has(loss.profile)) ctx.out.warn(nextStep`${lossOf(loss)}; ${signInAgain(loss)}`);
}

function rejectionText(rejection: RejectionSummary | undefined): string | null {
  if (!rejection) return null;
  const { tasks, kind, label, problem } = rejection;
  return `the service rejected ${counted(tasks, 'task')}, such as ${kind} of ${label}: ${problem}`;
}
