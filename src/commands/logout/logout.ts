import type { Auth, SignOut } from '../../runtime/auth.ts';
import { forget } from '../../features/known-values/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { counted, plural } from '../../platform/counted.ts';
import { logoutRows } from './logout.rows.ts';

export interface LogoutOptions {
  readonly verify?: boolean | undefined;
}

/** `logout`: removes the session and revokes its tokens. */
export async function logout(ctx: Context, options: LogoutOptions): Promise<void> {
  if (!ctx.dryRun) await forget(ctx);
  const auth = await ctx.auth();
  const profile = ctx.settings.profile.value;
  const { signedIn, unusable, origin, revocations, verified } = await auth.signOut({
    verify: options.verify ?? false,
  });
  if (unusable !== undefined) {
    const what = unusable === 'damaged' ? 'was damaged' : 'was written by another version of ucctl';
    const removed = ctx.dryRun ? 'would remove' : 'removed';
    ctx.out.warn(
      `The stored session of profile "${profile}" ${what}. ucctl ${removed} the session, but could not revoke its tokens.`,
    );
  } else if (!signedIn) {
    ctx.out.note(`Profile "${profile}" was not signed in.`);
  } else if (revocations.every(({ confirmed }) => confirmed)) {
    ctx.out.note(`Signed out of ${origin} (profile ${profile}).`);
  }
  if (ctx.settings.token.value !== undefined) {
    ctx.out.warn('UCCTL_TOKEN is still set, and commands continue to use it.');
  }
  await noteStoredSecrets(ctx, auth);
  const row = { profile, origin, signedOut: signedIn, revocations, verified };
  await ctx.out.record(row, logoutRows.record);
  const failed = revocations.find(({ confirmed }) => !confirmed);
  if (failed) throw unconfirmed(profile, origin, failed.problem);
  if (options.verify && signedIn) requireRejected(verified, origin);
}

/** Reports the secrets that remain. `webhook post` can use the address of a webhook without a session. */
async function noteStoredSecrets(ctx: Context, auth: Auth): Promise<void> {
  const profile = ctx.settings.profile.value;
  try {
    for (const { place, count } of await auth.storedSecrets()) {
      const remaining = `${counted(count, 'secret')} of subscriptions and chat webhooks ${plural(count, 'remains', 'remain')}`;
      const why = plural(count, 'it does not', 'they do not');
      const which = plural(count, 'it', 'them');
      ctx.out.note(
        nextStep`${remaining} in ${place}, because ${why} depend on the session. To delete ${which} and the settings of the profile: ${ucctl`profile remove ${profile}`}`,
      );
    }
  } catch (error) {
    ctx.out.warn(`could not check which secrets of profile "${profile}" remain: ${messageOf(error)}`);
  }
}

/** A missing confirmation of the service is an error, because a script must know that the tokens may still be valid. */
function unconfirmed(profile: string, origin: string | undefined, problem: string | undefined): CommandError {
  const text = `ucctl removed the tokens of profile "${profile}" from this machine, but the service did not confirm the revocation: ${problem}`;
  return new CommandError('token_not_revoked', Exit.failed, text, {
    hint: `the tokens may remain valid at ${origin} until they expire; to end all sessions immediately, change the password`,
  });
}

/** @throws {CommandError} `token_not_revoked` (exit 1) unless the service rejected the former access token. */
function requireRejected(verified: SignOut['verified'], origin: string | undefined): void {
  if (verified === 'rejected') return;
  const text =
    verified === 'accepted'
      ? `${origin} still accepts the previous access token`
      : `could not check whether ${origin} still accepts the previous access token`;
  throw new CommandError('token_not_revoked', Exit.failed, text, {
    hint: 'the token expires within the hour; to end the session immediately, change the password',
  });
}
