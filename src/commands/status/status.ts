import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { type CommandText, nextStep, ucctl } from '../../errors/hint.ts';
import { grantedPermissions } from '../../config/granted-permissions.ts';
import { DatabaseError } from '../../platform/database-error.ts';
import { requestsPerMinute } from '../../contract/limits.ts';
import { statusColumns, statusRows, type GroupLimit, type StatusRow } from './status.rows.ts';

/** `status`: shows the session of the profile in use. */
export async function status(ctx: Context): Promise<void> {
  const { profile, token, baseUrl } = ctx.settings;
  if (token.value !== undefined) {
    const origin = baseUrl.value === undefined ? undefined : new URL(baseUrl.value).origin;
    const row: StatusRow = {
      profile: profile.value,
      signedIn: true,
      tokenChecked: false,
      origin,
      flow: 'token',
      store: 'UCCTL_TOKEN',
      rateLimits: await rateLimitsOf(ctx),
    };
    await ctx.out.record(row, statusRows.pick(statusColumns));
    ctx.out.note(
      nextStep`ucctl did not check the access token of UCCTL_TOKEN. To check it: ${ucctl('doctor')}`,
    );
    return;
  }
  const auth = await ctx.auth();
  const session = await auth.describe();
  if (!session) throw signedOut(`profile "${profile.value}" is not signed in`);
  if (!session.alive) {
    const end = session.refreshExpiresAt ?? session.expiresAt;
    throw signedOut(`the session of profile "${profile.value}" expired at ${end}`, session.signInAgain);
  }
  if (session.rejected !== undefined)
    throw signedOut(`profile "${profile.value}": ${session.rejected}`, session.signInAgain);
  if (!session.renewable) {
    ctx.out.note(`This session ends at ${session.expiresAt} because it has no refresh token.`);
  }
  const row = statusRows.row(
    {},
    {
      session,
      permissions: grantedPermissions(session.scope),
      rateLimits: await rateLimitsOf(ctx),
    },
  );
  await ctx.out.record(row, statusRows.pick(statusColumns));
}

/** Returns the documented limits with the budgets that are known. */
async function rateLimitsOf(ctx: Context): Promise<readonly GroupLimit[] | undefined> {
  if (ctx.settings.storeUrl.value !== undefined) return undefined;
  const now = ctx.now();
  const known = await ctx.rateBudgets().catch((error: unknown) => {
    if (!(error instanceof DatabaseError)) throw error;
    // The limits are an addition to the session, which scripts check with this command.
    ctx.out.warn(`the remaining requests are unknown: ${error.message}`);
    return [];
  });
  return Object.entries(requestsPerMinute).map(([group, perMinute]) => {
    const budget = known.find((one) => one.group === group.toLowerCase());
    const isCounted = budget?.left !== undefined && budget.resetsAt > now;
    return {
      group,
      perMinute,
      left: isCounted ? Math.max(0, budget.left ?? 0) : undefined,
      resetsAt: isCounted ? iso(budget.resetsAt) : undefined,
      blockedUntil: budget && budget.blockedUntil > now ? iso(budget.blockedUntil) : undefined,
    };
  });
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function signedOut(message: string, hint: CommandText = ucctl('login')): CommandError {
  return new CommandError('sign_in_required', Exit.signIn, message, { hint });
}
