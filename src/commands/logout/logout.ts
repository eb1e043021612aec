import type { SignOut } from '../../runtime/auth.ts';
import { forget } from '../../features/known-values/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';

export interface LogoutOptions {
  readonly verify?: boolean | undefined;
}

/** Revokes what can be revoked and forgets the session. */
export async function logout(ctx: Context, options: LogoutOptions): Promise<void> {
  if (!ctx.dryRun) await forget(ctx);
  const auth = await ctx.auth();
  const profile = ctx.settings.profile.value;
  const { signedIn, unusable, origin, revocations, verified } = await auth.signOut({
    verify: options.verify ?? false,
  });
  if (unusable !== undefined) {
    const what = unusable === 'damaged' ? 'was damaged' : 'was of another version of ucctl';
    ctx.out.warn(
      `The stored session of profile "${profile}" ${what}; it was removed, its tokens could not be revoked.`,
    );
  } else if (!signedIn) {
    ctx.out.note(`Profile "${profile}" was not signed in.`);
  } else if (revocations.every(({ answered }) => answered)) {
    ctx.out.note(
      `Signed out of ${origin} (profile ${profile}). The service answered 200 to the revocation; it does so even when nothing was revoked.`,
    );
  }
  if (ctx.settings.token.value !== undefined) {
    ctx.out.warn('UCCTL_TOKEN is still set: commands go on using it.');
  }
  await ctx.out.record(
    { profile, origin, signedOut: signedIn, revocations, verified },
    {
      columns: [
        { key: 'profile', title: 'Profile', value: (row) => row.profile },
        { key: 'origin', title: 'Service', value: (row) => row.origin },
        { key: 'signedOut', title: 'Signed out', value: (row) => row.signedOut },
        { key: 'verified', title: 'Former token', value: (row) => row.verified },
      ],
    },
  );
  const failed = revocations.find(({ answered }) => !answered);
  if (failed) throw unconfirmed(profile, origin, failed.problem);
  if (options.verify && signedIn) requireDead(verified, origin);
}

/** A script that ends a session must learn that its tokens may live on. */
function unconfirmed(profile: string, origin: string | undefined, problem: string | undefined): CommandError {
  const text =
    `the tokens of profile "${profile}" were removed from this machine, but the service did not confirm the revocation: ` +
    `${problem}`;
  return new CommandError('token_not_revoked', Exit.failed, text, {
    hint: `they may work at ${origin} until they expire; a change of the password ends all sessions`,
  });
}

/** The session is forgotten here in any case; the exit code says what the service did with it. */
function requireDead(verified: SignOut['verified'], origin: string | undefined): void {
  if (verified === 'refused') return;
  const text =
    verified === 'accepted'
      ? `${origin} still takes the former access token`
      : `whether ${origin} still takes the former access token is not known: it could not be asked`;
  throw new CommandError('token_not_revoked', Exit.failed, text, {
    hint: 'it was removed from this machine; it ends by itself within the hour, or when the password is changed',
  });
}
