import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SessionSummary } from '../../runtime/auth.ts';
import { requireBaseUrl, updateConfigFile } from '../../config/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { appIdentity, checkFlowOptions } from './flow-options.ts';
import type { LoginOptions } from './login-options.ts';
import { StdinLines } from './stdin-lines.ts';
import { passwordIdentity } from './username.ts';

const unasked = '***';

interface Plan {
  readonly baseUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly store: 'keychain' | 'file' | 'memory';
  readonly accessTtlSeconds: number | undefined;
  readonly refreshTtlSeconds: number | undefined;
}

/** Signs in and keeps the session; the profile remembers where and how. */
export async function login(ctx: Context, options: LoginOptions): Promise<void> {
  checkFlowOptions(options);
  const auth = await ctx.auth();
  const baseUrl = requireBaseUrl(ctx.settings);
  const store = options.store ?? ctx.settings.store.value;
  // Before anyone types a password or opens a browser: a session that cannot be kept is of no use.
  if (!ctx.dryRun) await auth.preflightSignIn(store);
  const clientId = options.clientId ?? ctx.settings.clientId.value ?? (await askClientId(ctx));
  const lines = new StdinLines(ctx.input);
  const clientSecret = options.publicClient
    ? undefined
    : await findSecret(ctx, { options, lines, baseUrl, clientId });
  const plan: Plan = {
    baseUrl,
    clientId,
    clientSecret,
    store,
    accessTtlSeconds: options.accessTokenTtl,
    refreshTtlSeconds: options.refreshTokenTtl,
  };
  const summary = await flows[options.flow](ctx, { options, lines, plan });
  if (!summary.renewable) {
    ctx.out.warn(`This session ends at ${summary.expiresAt}: the service gave no refresh token.`);
  }
  if (ctx.settings.token.value !== undefined) {
    ctx.out.warn('UCCTL_TOKEN is set: other commands use it in place of this session.');
  }
  if (store === 'file' && ctx.settings.store.origin !== 'profile') {
    ctx.out.note(
      'The session is kept in a plain text file that only you can read (mode 0600), as you asked.',
    );
  }
  if (store === 'memory') ctx.out.warn('The session was kept in memory only: it ends with this command.');
  await report(ctx, summary);
}

interface Flow {
  readonly options: LoginOptions;
  readonly lines: StdinLines;
  readonly plan: Plan;
}

const flows = { code: byCode, password: byPassword, 'client-credentials': asApp, jwt: byAssertion } as const;

async function byPassword(ctx: Context, { options, lines, plan }: Flow): Promise<SessionSummary> {
  const { username: typed, extension, passwordStdin } = options;
  const name = typed ?? (await ctx.prompt.text('User name (number or e-mail address)', '--username'));
  const identity = passwordIdentity(name, extension);
  if (identity.mayBeCompany) {
    ctx.out.note(
      `No --extension: if ${identity.username} is a company number, this signs in its main administrator.`,
    );
  }
  const password = passwordStdin
    ? await lines.next('--password-stdin')
    : (ctx.env['UCCTL_PASSWORD'] ?? (await askSecret(ctx, 'Password', '--password-stdin or UCCTL_PASSWORD')));
  const auth = await ctx.auth();
  const { username, extension: below } = identity;
  const summary = await ctx.out.progress('Signing in', () =>
    auth.signInByPassword({ ...plan, username, extension: below, password }),
  );
  await saveProfile(ctx, plan);
  return summary;
}

async function byCode(ctx: Context, { options, lines, plan }: Flow): Promise<SessionSummary> {
  const { redirectUris } = ctx.settings;
  const chosen = options.redirectUri.length > 0 ? options.redirectUri : redirectUris.value;
  const worthKeeping = options.redirectUri.length > 0 || redirectUris.origin === 'environment';
  const auth = await ctx.auth();
  return auth.signInByCode({
    ...plan,
    redirectUris: chosen,
    pkce: !options.noPkce,
    timeoutSeconds: options.browserTimeout,
    show: (text) => ctx.out.show(text),
    openUrl: (url) => ctx.openUrl(url),
    noBrowser: options.noBrowser ?? false,
    paste: () => pasted(ctx, lines),
    beforeSuccess: () => saveProfile(ctx, plan, worthKeeping ? chosen : undefined),
  });
}

async function asApp(ctx: Context, { options, plan }: Flow): Promise<SessionSummary> {
  const identity = appIdentity(options);
  const auth = await ctx.auth();
  const summary = await ctx.out.progress('Signing in', () => auth.signInAsApp({ ...plan, ...identity }));
  await saveProfile(ctx, plan);
  return summary;
}

async function byAssertion(ctx: Context, { options, lines, plan }: Flow): Promise<SessionSummary> {
  const assertion = await findAssertion(ctx, options, lines);
  const auth = await ctx.auth();
  const summary = await ctx.out.progress('Signing in', () => auth.signInByAssertion({ ...plan, assertion }));
  await saveProfile(ctx, plan);
  return summary;
}

async function findAssertion(ctx: Context, options: LoginOptions, lines: StdinLines): Promise<string> {
  const text = await assertionText(ctx, options, lines);
  if (text === unasked) return text;
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return text;
  throw usageError('the assertion is no JWT: three parts in base64url, with dots between them');
}

async function assertionText(ctx: Context, options: LoginOptions, lines: StdinLines): Promise<string> {
  if (options.assertionStdin) return lines.next('--assertion-stdin');
  const { assertionFile } = options;
  if (assertionFile === undefined) {
    return ctx.env['UCCTL_ASSERTION'] ?? askSecret(ctx, 'Assertion', '--assertion-file or --assertion-stdin');
  }
  try {
    return (await readFile(resolve(ctx.cwd, assertionFile), 'utf8')).trim();
  } catch (error) {
    throw usageError(`--assertion-file ${assertionFile} cannot be read: ${(error as Error).message}`);
  }
}

/** From a question on a terminal, else from standard input. Not echoed: the address holds the code. */
async function pasted(ctx: Context, lines: StdinLines): Promise<string> {
  if (ctx.prompt.available) return ctx.prompt.secret('Address that the browser ended at', 'standard input');
  const line = ctx.input.isTerminal ? undefined : await lines.maybe();
  if (line !== undefined) return line;
  throw new CommandError('input_needed', Exit.refused, 'nobody gave the address that the browser ended at', {
    hint: 'run it on a terminal and paste the address there, or keep its standard input open and write the address to it',
  });
}

/** A dry run hides a secret anyway, so that it asks for none. */
async function askSecret(ctx: Context, question: string, flag: string): Promise<string> {
  return ctx.dryRun ? unasked : ctx.prompt.secret(question, flag);
}

async function askClientId(ctx: Context): Promise<string> {
  return ctx.prompt.text('Application key', '--client-id or UCCTL_CLIENT_ID');
}

async function findSecret(
  ctx: Context,
  { options, lines, baseUrl, clientId }: Omit<Flow, 'plan'> & Pick<Plan, 'baseUrl' | 'clientId'>,
): Promise<string> {
  if (options.secretStdin) return lines.next('--secret-stdin');
  const fromEnvironment = ctx.settings.clientSecret.value;
  if (fromEnvironment !== undefined) return fromEnvironment;
  if (ctx.dryRun) return unasked;
  const auth = await ctx.auth();
  const known = await auth.knownClientSecret(baseUrl, clientId);
  return known ?? ctx.prompt.secret('Application secret', '--secret-stdin or UCCTL_CLIENT_SECRET');
}

async function saveProfile(ctx: Context, plan: Plan, redirectUris?: readonly string[]): Promise<void> {
  const name = ctx.settings.profile.value;
  await updateConfigFile(ctx.paths, ({ current, profiles }) => ({
    current: current ?? name,
    profiles: {
      [name]: {
        ...(Object.hasOwn(profiles, name) && profiles[name]),
        baseUrl: plan.baseUrl.href.replace(/\/$/, ''),
        clientId: plan.clientId,
        store: plan.store,
        ...(redirectUris && { redirectUris }),
      },
    },
  }));
}

async function report(ctx: Context, summary: SessionSummary): Promise<void> {
  const { profile, origin, flow, username, extension, ownerId, store, expiresAt, refreshExpiresAt } = summary;
  const { appSession: session, account } = summary;
  ctx.out.note(`Signed in to ${origin} (profile ${profile}); the session is kept in ${summary.place}.`);
  await ctx.out.record(
    {
      profile,
      origin,
      flow,
      username,
      extension,
      session,
      account,
      ownerId,
      store,
      expiresAt,
      refreshExpiresAt,
    },
    {
      columns: [
        { key: 'profile', title: 'Profile', value: (row) => row.profile },
        { key: 'origin', title: 'Service', value: (row) => row.origin },
        { key: 'flow', title: 'Flow', value: (row) => row.flow },
        { key: 'username', title: 'User', value: (row) => row.username },
        { key: 'account', title: 'Account', value: (row) => row.account },
        { key: 'ownerId', title: 'Extension id', kind: 'id', value: (row) => row.ownerId },
        { key: 'store', title: 'Store', value: (row) => row.store },
        { key: 'expiresAt', title: 'Token until', kind: 'time', value: (row) => row.expiresAt },
        {
          key: 'refreshExpiresAt',
          title: 'Session until',
          kind: 'time',
          value: (row) => row.refreshExpiresAt,
        },
      ],
    },
  );
}
