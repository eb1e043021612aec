import { readConfigFile, settingKeys, storeInProfile } from '../../config/index.ts';
import { dialects, type Dialect } from '../../contract/dialects.ts';
import { announcedDialect } from '../../features/dialect/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, ExitWith } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

export type InitOptions = object;

const fileQuestion = 'Store the session in a plain text file that only you can read?';

/** `init`: signs in, then lists the queues. Only the list goes to stdout. */
export async function initialize(ctx: Context): Promise<void> {
  const { settings, prompt, out } = ctx;
  const signedIn = await isSignedIn(ctx);
  if (!prompt.available && !signedIn) {
    throw new CommandError(
      'input_needed',
      Exit.blocked,
      'ucctl init needs a terminal to prompt for settings',
      {
        hint: ucctl('login --base-url URL --client-id YOUR_APP'),
      },
    );
  }
  const profile = settings.profile.value;
  out.note(`Profile ${profile}. You can stop with Ctrl-C at any time.`);
  const address = settings.baseUrl.value ?? (await askAddress(ctx));
  // Nested command lines receive the flag of this run.
  const addressFlags = settings.baseUrl.origin === 'flag' ? [] : ['--base-url', address];
  if (signedIn) {
    out.note(`1 of 2: already signed in to ${address}.`);
    await findMissingDialect(ctx, address);
  } else await signIn(ctx, addressFlags);
  out.note('2 of 2: your call queues.');
  const exit = await ctx.run(['queue', 'list', '-o', out.format, ...addressFlags]);
  if (exit !== Exit.ok) throw new ExitWith(exit);
  out.note('Next steps: ucctl completion install, ucctl --help, ucctl help bulk.');
}

/**
 * Asks for the address of the service until it is valid, so that a typing error does not end the setup. Stores it in the
 * profile, so that the user does not type it again after a failed sign-in.
 */
async function askAddress({ prompt, out, paths, settings }: Context): Promise<string> {
  for (;;) {
    const typed = await prompt.text(
      'Base URL of the service (no account? run ucctl sandbox start)',
      '--base-url',
    );
    const address = validAddress(typed, (problem) => out.warn(problem));
    if (address === undefined) continue;
    await storeInProfile(paths, settings.profile.value, { baseUrl: address });
    out.note(
      nextStep`The profile stores the base URL ${address}. To change it: ${ucctl('config set base-url URL')}.`,
    );
    return address;
  }
}

/** Returns a typed address in the form of the profile; undefined, with a warning, if it is not valid. */
function validAddress(typed: string, warn: (problem: string) => void): string | undefined {
  try {
    return settingKeys.baseUrl.check(typed);
  } catch (error) {
    warn((error as RangeError).message);
    return undefined;
  }
}

/**
 * Determines the dialect of a session that an older version of ucctl stored without a dialect. Does not create a
 * missing profile.
 */
async function findMissingDialect(ctx: Context, address: string): Promise<void> {
  const { settings, paths } = ctx;
  const { value: name } = settings.profile;
  const { profiles } = await readConfigFile(paths);
  const stored = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (stored?.['baseUrl'] !== address || settings.dialect.origin !== 'default') return;
  const found = await announcedDialect(ctx);
  if (found !== undefined) await storeInProfile(paths, name, { dialect: found });
}

async function isSignedIn(ctx: Context): Promise<boolean> {
  if (ctx.settings.baseUrl.value === undefined) return false;
  if (ctx.settings.token.value !== undefined) return true;
  try {
    const session = await (await ctx.auth()).describe();
    return session?.alive ?? false;
  } catch (error) {
    // A token store that cannot be read is not an error here: the sign-in checks the store again and offers a file
    // instead.
    if (error instanceof CommandError && error.exit === Exit.local) return false;
    throw error;
  }
}

/** The flows that both dialects accept (CURRENT-16). */
const flows = [
  { value: 'code', label: 'In the browser' },
  { value: 'jwt', label: 'With an assertion (JWT) from the developer console, e.g. on a server' },
] as const;

/**
 * Returns the options of `login` for the sign-in: the assertion of the environment if there is one, a password in a
 * sandbox that accepts passwords, otherwise the flow that the user chooses.
 */
async function flowOf({ env, settings, prompt }: Context): Promise<readonly string[]> {
  if (env['UCCTL_ASSERTION'] !== undefined) return ['--flow', 'jwt'];
  const username = env['UCCTL_SANDBOX_USERNAME'];
  const { grants }: Dialect = dialects[settings.dialect.value];
  if (username !== undefined && grants.includes('password'))
    return ['--flow', 'password', '--username', username];
  const flow = await prompt.choose('How do you want to sign in?', flows, 'ucctl login --flow FLOW');
  return flow === 'code' ? [] : ['--flow', flow];
}

async function signIn(ctx: Context, addressFlags: readonly string[]): Promise<void> {
  ctx.out.note('1 of 2: signing in.');
  const flowFlags = await flowOf(ctx);
  const storeFlags = await findStoreFlags(ctx);
  const exit = await ctx.run(['login', ...flowFlags, ...addressFlags, ...storeFlags], {
    resultsToStderr: true,
  });
  if (exit !== Exit.ok) throw new ExitWith(exit);
}

/**
 * Returns the flags of `login` for the token store: a file if the store of the profile cannot store a session, and the
 * user agrees. @throws {CommandError} the error of the store, if the user does not agree.
 */
async function findStoreFlags(ctx: Context): Promise<readonly string[]> {
  const store = ctx.settings.store.value;
  try {
    const auth = await ctx.auth();
    await auth.preflightSignIn(store);
    return [];
  } catch (error) {
    if (!(error instanceof CommandError) || error.exit !== Exit.local || store === 'file') throw error;
    ctx.out.note(error.message);
    if (!(await ctx.prompt.confirm(fileQuestion))) throw error;
    return ['--store', 'file'];
  }
}
