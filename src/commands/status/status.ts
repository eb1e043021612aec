import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../runtime/errors.ts';
import type { View } from '../../runtime/output.ts';

interface Status {
  readonly profile: string;
  readonly signedIn: true;
  readonly origin: string | undefined;
  readonly clientId?: string | undefined;
  readonly flow: string;
  readonly username?: string | undefined;
  readonly extension?: string | undefined;
  readonly ownerId?: string | undefined;
  /** Undefined when the service did not say: never to be read as missing. */
  readonly permissions?: readonly string[] | undefined;
  readonly signedInAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly refreshExpiresAt?: string | undefined;
  readonly store: string;
}

const view: View<Status> = {
  columns: [
    { key: 'profile', title: 'Profile', value: (row) => row.profile },
    { key: 'origin', title: 'Service', value: (row) => row.origin },
    { key: 'username', title: 'User', value: (row) => row.username },
    { key: 'extension', title: 'Extension', value: (row) => row.extension },
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
    throw signedOut(`the session of profile "${profile.value}" ended at ${end}`);
  }
  const { alive: _alive, place: _place, scope, ...shown } = session;
  await ctx.out.record({ ...shown, signedIn: true, permissions: scope?.split(/\s+/).filter(Boolean) }, view);
}

function signedOut(message: string): CommandError {
  return new CommandError('sign_in_required', Exit.signIn, message, { hint: 'ucctl login' });
}
