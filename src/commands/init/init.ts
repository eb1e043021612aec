import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, ExitWith } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';

export type InitOptions = object;

const fileInstead = 'Keep the session in a plain text file that only you can read instead?';

/** `init`: what a newcomer would type one after the other. Its result is the list of queues; all else goes to stderr. */
export async function initialize(ctx: Context): Promise<void> {
  const { settings, prompt, out } = ctx;
  const signedIn = await isSignedIn(ctx);
  if (!prompt.available && !signedIn) {
    throw new CommandError('input_needed', Exit.refused, 'nobody can be asked: init needs a terminal', {
      hint: ucctl('login --base-url URL --client-id KEY'),
    });
  }
  const { value: profile, origin } = settings.profile;
  out.note(`Profile ${profile}. Ctrl-C ends this at any time; what is done stays.`);
  const address =
    settings.baseUrl.value ??
    (await prompt.text('Address of the service (without an account: ucctl sandbox start)', '--base-url'));
  const where = [...(origin === 'flag' ? ['--profile', profile] : []), '--base-url', address];
  if (signedIn) out.note(`1 of 2: signed in to ${address} already.`);
  else await signIn(ctx, where);
  out.note('2 of 2: the call queues.');
  const exit = await ctx.run(['queue', 'list', '-o', out.format, ...where]);
  if (exit !== Exit.ok) throw new ExitWith(exit);
  out.note('Next: ucctl completion install, ucctl --help, ucctl help bulk.');
}

async function isSignedIn(ctx: Context): Promise<boolean> {
  if (ctx.settings.baseUrl.value === undefined) return false;
  if (ctx.settings.token.value !== undefined) return true;
  try {
    const session = await (await ctx.auth()).describe();
    return session?.alive ?? false;
  } catch (error) {
    // Signing in proves the store too, says what is wrong with it, and goes on with another.
    if (error instanceof CommandError && error.exit === Exit.local) return false;
    throw error;
  }
}

async function signIn(ctx: Context, where: readonly string[]): Promise<void> {
  const username = ctx.env['UCCTL_SANDBOX_USERNAME'];
  const how = username === undefined ? [] : ['--flow', 'password', '--username', username];
  const login = (...more: readonly string[]): Promise<number> =>
    ctx.run(['login', ...how, ...where, ...more], { aside: true });
  ctx.out.note('1 of 2: signing in.');
  let exit = await login();
  if (exit === Exit.local && ctx.settings.store.value !== 'file' && (await ctx.prompt.confirm(fileInstead))) {
    exit = await login('--store', 'file');
  }
  if (exit !== Exit.ok) throw new ExitWith(exit);
}
