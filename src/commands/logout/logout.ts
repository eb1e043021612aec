import type { Context } from '../../runtime/context.ts';

/** Revokes what can be revoked and forgets the session. */
export async function logout(ctx: Context): Promise<void> {
  const auth = await ctx.auth();
  const profile = ctx.settings.profile.value;
  const { signedIn, origin, revocations } = await auth.signOut();
  if (!signedIn) {
    ctx.out.note(`Profile "${profile}" was not signed in.`);
  } else if (revocations.every(({ answered }) => answered)) {
    ctx.out.note(
      `Signed out of ${origin} (profile ${profile}). The service answered 200 to the revocation; it does so even when nothing was revoked.`,
    );
  } else {
    const failed = revocations.find(({ answered }) => !answered);
    ctx.out.warn(
      `The tokens of profile "${profile}" were removed from this machine, but the service did not confirm the revocation: ` +
        `${failed?.problem}. They may work at ${origin} until they expire.`,
    );
  }
  if (ctx.settings.token.value !== undefined) {
    ctx.out.warn('UCCTL_TOKEN is still set: commands go on using it.');
  }
  await ctx.out.record(
    { profile, origin, signedOut: signedIn, revocations },
    {
      columns: [
        { key: 'profile', title: 'Profile', value: (row) => row.profile },
        { key: 'origin', title: 'Service', value: (row) => row.origin },
        { key: 'signedOut', title: 'Signed out', value: (row) => row.signedOut },
      ],
    },
  );
}
