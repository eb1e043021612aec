import type { SessionSummary } from '../../auth/index.ts';
import { requireBaseUrl, updateConfigFile } from '../../config/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../runtime/errors.ts';
import { passwordIdentity } from './username.ts';

export interface LoginOptions {
  readonly flow: 'code' | 'password';
  readonly username?: string | undefined;
  readonly extension?: string | undefined;
  readonly clientId?: string | undefined;
  readonly publicClient?: boolean | undefined;
  readonly secretStdin?: boolean | undefined;
  readonly passwordStdin?: boolean | undefined;
  readonly store?: 'keychain' | 'file' | 'memory' | undefined;
  readonly noBrowser?: boolean | undefined;
  readonly noPkce?: boolean | undefined;
  readonly redirectUri: readonly string[];
  /** Seconds. */
  readonly timeout: number;
}

interface Plan {
  readonly baseUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly store: 'keychain' | 'file' | 'memory';
}

/** Signs in and keeps the session; the profile remembers where and how. */
export async function login(ctx: Context, options: LoginOptions): Promise<void> {
  checkFlowOptions(options);
  const auth = await ctx.auth();
  const baseUrl = requireBaseUrl(ctx.settings);
  const store = options.store ?? ctx.settings.store.value;
  // Before anyone types a password or opens a browser: a session that cannot be kept is of no use.
  await auth.preflight(store);
  if (store === 'file' && ctx.settings.store.origin !== 'profile') {
    ctx.out.note(
      'The session is kept in a plain text file that only you can read (mode 0600), as you asked.',
    );
  }
  const clientId = options.clientId ?? ctx.settings.clientId.value ?? (await askClientId(ctx));
  const clientSecret = options.publicClient ? undefined : await findSecret(ctx, options, baseUrl, clientId);
  const plan = { baseUrl, clientId, clientSecret, store };
  const summary =
    options.flow === 'password' ? await byPassword(ctx, options, plan) : await byCode(ctx, options, plan);
  if (ctx.settings.token.value !== undefined) {
    ctx.out.warn('UCCTL_TOKEN is set: other commands use it in place of this session.');
  }
  if (store === 'memory') ctx.out.warn('The session was kept in memory only: it ends with this command.');
  await report(ctx, summary);
}

function checkFlowOptions(options: LoginOptions): void {
  const onlyPassword = [
    options.username !== undefined && '--username',
    options.extension !== undefined && '--extension',
    options.passwordStdin && '--password-stdin',
  ];
  const onlyCode = [
    options.noBrowser && '--no-browser',
    options.noPkce && '--no-pkce',
    options.redirectUri.length > 0 && '--redirect-uri',
  ];
  const wrong = (options.flow === 'code' ? onlyPassword : onlyCode).find(Boolean);
  if (!wrong) return;
  const other = options.flow === 'code' ? 'password' : 'code';
  throw usageError(`${wrong} belongs to --flow ${other}`, `add --flow ${other}, or leave it out`);
}

async function byPassword(ctx: Context, options: LoginOptions, plan: Plan): Promise<SessionSummary> {
  const { username: typed, extension, passwordStdin } = options;
  const name = typed ?? (await ctx.prompt.text('User name (number or e-mail address)', '--username'));
  const identity = passwordIdentity(name, extension);
  if (identity.mayBeCompany) {
    ctx.out.note(
      `No --extension: if ${identity.username} is a company number, this signs in its main administrator.`,
    );
  }
  const password = passwordStdin
    ? await readSecret(ctx, '--password-stdin')
    : (ctx.env['UCCTL_PASSWORD'] ??
      (await ctx.prompt.secret('Password', '--password-stdin or UCCTL_PASSWORD')));
  const auth = await ctx.auth();
  const { username, extension: below } = identity;
  const summary = await ctx.out.progress('Signing in', () =>
    auth.signInByPassword({ ...plan, username, extension: below, password }),
  );
  await saveProfile(ctx, plan);
  return summary;
}

async function byCode(ctx: Context, options: LoginOptions, plan: Plan): Promise<SessionSummary> {
  const { redirectUris } = ctx.settings;
  const chosen = options.redirectUri.length > 0 ? options.redirectUri : redirectUris.value;
  const worthKeeping = options.redirectUri.length > 0 || redirectUris.origin === 'environment';
  const auth = await ctx.auth();
  return auth.signInByCode({
    ...plan,
    redirectUris: chosen,
    pkce: !options.noPkce,
    timeoutSeconds: options.timeout,
    show: (text) => ctx.out.show(text),
    openUrl: (url) => ctx.openUrl(url),
    paste: options.noBrowser ? () => pasted(ctx) : undefined,
    beforeSuccess: () => saveProfile(ctx, plan, worthKeeping ? chosen : undefined),
  });
}

/** From a question on a terminal, else from standard input. */
async function pasted(ctx: Context): Promise<string> {
  if (ctx.prompt.available) return ctx.prompt.text('Address that the browser ended at', 'standard input');
  if (!ctx.input.isTerminal) return ctx.input.text();
  throw new CommandError('input_needed', Exit.refused, 'nobody can be asked for the address', {
    hint: 'give it on standard input',
  });
}

async function askClientId(ctx: Context): Promise<string> {
  return ctx.prompt.text('Application key', '--client-id or UCCTL_CLIENT_ID');
}

async function findSecret(
  ctx: Context,
  options: LoginOptions,
  baseUrl: URL,
  clientId: string,
): Promise<string> {
  if (options.secretStdin) return readSecret(ctx, '--secret-stdin');
  const fromEnvironment = ctx.settings.clientSecret.value;
  if (fromEnvironment !== undefined) return fromEnvironment;
  const auth = await ctx.auth();
  const known = await auth.knownClientSecret(baseUrl, clientId);
  return known ?? ctx.prompt.secret('Application secret', '--secret-stdin or UCCTL_CLIENT_SECRET');
}

/** One line; the line break that `echo` adds is no part of a secret. */
async function readSecret(ctx: Context, flag: string): Promise<string> {
  if (ctx.input.isTerminal) {
    throw usageError(
      `${flag} reads standard input, which is a terminal`,
      `pipe it in, or leave ${flag} out to be asked`,
    );
  }
  const secret = (await ctx.input.text()).replace(/\r?\n$/, '');
  if (secret === '') throw usageError(`${flag}: standard input is empty`);
  return secret;
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
  ctx.out.note(`Signed in to ${origin} (profile ${profile}); the session is kept in ${summary.place}.`);
  await ctx.out.record(
    { profile, origin, flow, username, extension, ownerId, store, expiresAt, refreshExpiresAt },
    {
      columns: [
        { key: 'profile', title: 'Profile', value: (row) => row.profile },
        { key: 'origin', title: 'Service', value: (row) => row.origin },
        { key: 'flow', title: 'Flow', value: (row) => row.flow },
        { key: 'username', title: 'User', value: (row) => row.username },
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
