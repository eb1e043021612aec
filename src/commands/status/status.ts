import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { type CommandText, ucctl } from '../../errors/hint.ts';
import type { View } from '../../runtime/output.ts';
import { grantedPermissions } from '../../config/granted-permissions.ts';

interface Status {
  readonly profile: string;
  readonly signedIn: true;
  readonly origin: string | undefined;
  readonly clientId?: string | undefined;
  readonly flow: string;
  readonly username?: string | undefined;
  readonly extension?: string | undefined;
  readonly session?: 'signup' | 'account' | undefined;
  readonly account?: string | undefined;
  readonly ownerId?: string | undefined;
  /** Those granted and all that they include. Undefined when the service did not say: never to be read as missing. */
  readonly permissions?: readonly string[] | undefined;
  readonly signedInAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly refreshExpiresAt?: string | undefined;
  /** Whether the session can be renewed when its access token ends. */
  readonly renewable?: boolean | undefined;
  readonly store: string;
}

const view: View<Status> = {
  columns: [
    { key: 'profile', title: 'Profile', value: (row) => row.profile },
    { key: 'origin', title: 'Service', value: (row) => row.origin },
    { key: 'username', title: 'User', value: (row) => row.username },
    { key: 'extension', title: 'Extension', value: (row) => row.extension },
    { key: 'account', title: 'Account', value: (row) => row.account },
    { key: 'ownerId', title: 'Extension id', kind: 'id', value: (row) => row.ownerId },
    { key: 'flow', title: 'Flow', value: (row) => row.flow },
    { key: 'permissions', title: 'Permissions', value: (row) => row.permissions?.join(' ') ?? 'unknown' },
    { key: 'expiresAt', title: 'Token until', kind: 'time', value: (row) => row.expiresAt },
    { key: 'refreshExpiresAt', title: 'Session until', kind: 'time', value: (row) => row.refreshExpiresAt },
    { key: 'store', title: 'Store', value: (row) => row.store },
  ],
};

/** Shows the session of the profile in use. */
export async function status(ctx: Context): Promise<void> {
  const { profile, token, baseUrl } = ctx.settings;
  if (token.value !== undefined) {
    const origin = baseUrl.value === undefined ? undefined : new URL(baseUrl.value).origin;
    await ctx.out.record(
      { profile: profile.value, signedIn: true, origin, flow: 'token', store: 'UCCTL_TOKEN' },
      view,
    );
    return;
  }
  const auth = await ctx.auth();
  const session = await auth.describe();
  if (!session) throw signedOut(`profile "${profile.value}" is not signed in`);
  if (!session.alive) {
    const end = session.refreshExpiresAt ?? session.expiresAt;
    throw signedOut(`the session of profile "${profile.value}" ended at ${end}`, session.signInAgain);
  }
  if (session.refused !== undefined)
    throw signedOut(`profile "${profile.value}": ${session.refused}`, session.signInAgain);
  const {
    alive: _alive,
    refused: _refused,
    place: _place,
    signInAgain: _command,
    scope,
    appSession,
    ...shown
  } = session;
  if (!session.renewable) {
    ctx.out.note(`This session ends at ${session.expiresAt}: it has no refresh token.`);
  }
  await ctx.out.record(
    { ...shown, session: appSession, signedIn: true, permissions: grantedPermissions(scope) },
    view,
  );
}

function signedOut(message: string, hint: CommandText = ucctl('login')): CommandError {
  return new CommandError('sign_in_required', Exit.signIn, message, { hint });
}
