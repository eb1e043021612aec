import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SessionSummary } from '../../runtime/auth.ts';
import {
  fileStoreError,
  isDialectSet,
  readRedirectUris,
  requireBaseUrl,
  storeInProfile,
  updateConfigFile,
} from '../../config/index.ts';
import { announcedDialect } from '../../features/dialect/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { withNumber } from '../../runtime/with-number.ts';
import { fileFailureReason } from '../../platform/file-failure.ts';
import { isStoreUrl, storeWithoutPassword } from '../../platform/store-address.ts';
import { confirmReplacement } from './confirm-replacement.ts';
import { appIdentity, checkFlowOptions } from './flow-options.ts';
import type { LoginOptions } from './login-options.ts';
import { loginRows } from './login.rows.ts';
import { StdinLines } from './stdin-lines.ts';
import { withUser } from './with-user.ts';
import { passwordIdentity } from './username.ts';
import { maskUserInfo } from '../../platform/user-info.ts';

/** Placeholder for a secret in a dry run. */
const dryRunSecret = '***';

interface Plan {
  readonly baseUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly store: 'keychain' | 'file' | 'memory' | 'postgres';
  readonly accessTtlSeconds: number | undefined;
  readonly refreshTtlSeconds: number | undefined;
}

/** `login`: signs in and stores the session, and base URL, client ID and token store in the profile. */
export async function login(ctx: Context, options: LoginOptions): Promise<void> {
  checkFlowOptions(options);
  if (options.redirectUri.length > 0) readRedirectUris(options.redirectUri);
  const baseUrl = requireBaseUrl(ctx.settings);
  const store = tokenStoreOf(ctx, options);
  await confirmReplacement(ctx, baseUrl);
  // The token store is checked before the user types a password or opens a browser, because the user cannot use a
  // session that cannot be stored.
  if (!ctx.dryRun) await checkStore(ctx, store, options);
  const clientId = options.clientId ?? ctx.settings.clientId.value ?? (await askClientId(ctx));
  const lines = new StdinLines(ctx.input);
  const clientSecret = options.publicClient
    ? undefined
    : await findSecret(ctx, { options, lines, baseUrl, clientId, store });
  const plan: Plan = {
    baseUrl,
    clientId,
    clientSecret,
    store,
    accessTtlSeconds: options.accessTokenTtl,
    refreshTtlSeconds: options.refreshTokenTtl,
  };
  const hasDialect = await isDialectSet(ctx.settings, ctx.paths, plainUrl(baseUrl));
  const summary = await flows[options.flow](ctx, { options, lines, plan });
  if (!summary.renewable) {
    ctx.out.warn(`This session ends at ${summary.expiresAt}: the service issued no refresh token.`);
  }
  if (ctx.settings.token.value !== undefined) {
    ctx.out.warn('UCCTL_TOKEN is set, so other commands use that token instead of this session.');
  }
  if (store === 'file' && ctx.settings.store.origin !== 'profile') {
    ctx.out.note(
      nextStep`The session is stored in a plain text file that only you can read (mode 0600). The profile uses this store until you run ${ucctl('login --store keychain')}.`,
    );
  }
  if (store === 'memory') ctx.out.warn('The session is stored only in memory and ends with this command.');
  await storeServiceDialect(ctx, hasDialect);
  await report(ctx, await withUser(ctx, summary));
}

/** Returns the token store of the sign-in. @throws {CommandError} `usage` (exit 2). */
function tokenStoreOf({ settings }: Context, { store }: LoginOptions): Plan['store'] {
  if (store === undefined) return settings.store.value;
  if (isStoreUrl(store)) {
    const { value, origin } = settings.store;
    if (value === 'file' && origin === 'profile') throw fileStoreError(settings.profile.value, store);
    return value;
  }
  if (store !== 'keychain' && store !== 'file' && store !== 'memory')
    throw usageError(
      `--store "${maskUserInfo(store)}" is not a valid store`,
      'use keychain, file, memory or postgres://USER@HOST/DATABASE',
    );
  if (settings.storeUrl.origin === 'profile')
    throw usageError(
      `profile "${settings.profile.value}" uses the store ${storeWithoutPassword(settings.storeUrl.value ?? '')}, which --store ${store} would replace`,
      nextStep`set the address in UCCTL_STORE, and remove it from the profile: ${ucctl('config unset store')}`,
    );
  return store;
}

/** Checks that the token store can store a session. @throws {CommandError} exit 12. */
async function checkStore(ctx: Context, store: Plan['store'], options: LoginOptions): Promise<void> {
  try {
    const auth = await ctx.auth();
    await auth.preflightSignIn(store);
  } catch (error) {
    const { withTypedOptions } = await import('./file-store-command.ts');
    throw withTypedOptions(error, options, ctx.settings);
  }
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
  const identity = await passwordIdentity(name, extension);
  if (identity.mayBeCompany) {
    ctx.out.note(
      `No --extension given: if ${identity.username} is a company number, ucctl signs in the main administrator.`,
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
  const isForProfile = options.redirectUri.length > 0 || redirectUris.origin === 'environment';
  const auth = await ctx.auth();
  return auth.signInByCode({
    ...plan,
    redirectUris: chosen,
    pkce: !options.noPkce,
    timeoutSeconds: options.browserTimeout,
    show: (text) => ctx.out.show(text),
    openUrl: (url) => ctx.openUrl(url),
    noBrowser: options.noBrowser ?? false,
    paste: () => pastedAddress(ctx, lines),
    beforeSuccess: () => saveProfile(ctx, plan, isForProfile ? chosen : undefined),
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
  // A pasted assertion often has spaces at its ends, and a file ends with a line break.
  const text = (await assertionText(ctx, options, lines)).trim();
  if (text === dryRunSecret) return text;
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return text;
  throw usageError(
    'the assertion is not a valid JWT: a JWT has three base64url parts separated by dots',
    'copy the complete assertion from the developer console of the service',
  );
}

async function assertionText(ctx: Context, options: LoginOptions, lines: StdinLines): Promise<string> {
  if (options.assertionStdin) return lines.next('--assertion-stdin');
  const { assertionFile } = options;
  if (assertionFile === undefined) {
    return ctx.env['UCCTL_ASSERTION'] ?? askSecret(ctx, 'Assertion', '--assertion-file or --assertion-stdin');
  }
  try {
    return await readFile(resolve(ctx.cwd, assertionFile), 'utf8');
  } catch (error) {
    throw usageError(
      `cannot read --assertion-file ${assertionFile}: ${fileFailureReason(error)}`,
      'check the path and its permissions, or use --assertion-stdin',
    );
  }
}

/**
 * Returns the redirect URI, which the user pastes at the prompt or a program writes to standard input. The prompt does
 * not echo the URI, because it contains the authorization code.
 */
async function pastedAddress(ctx: Context, lines: StdinLines): Promise<string> {
  if (ctx.prompt.available) return ctx.prompt.secret('Final address in the browser', 'standard input');
  const line = ctx.input.isTerminal ? undefined : await lines.maybe();
  if (line !== undefined) return line;
  throw new CommandError(
    'input_needed',
    Exit.blocked,
    'the final address of the browser is missing: standard input is empty',
    {
      hint: 'run the command in a terminal and paste the address, or write the address to standard input',
    },
  );
}

/** Prompts for a secret; not in a dry run, which shows no secrets. */
async function askSecret(ctx: Context, question: string, flag: string): Promise<string> {
  return ctx.dryRun ? dryRunSecret : ctx.prompt.secret(question, flag);
}

async function askClientId(ctx: Context): Promise<string> {
  return ctx.prompt.text('Client ID', '--client-id or UCCTL_CLIENT_ID');
}

async function findSecret(
  ctx: Context,
  {
    options,
    lines,
    baseUrl,
    clientId,
    store,
  }: Omit<Flow, 'plan'> & Pick<Plan, 'baseUrl' | 'clientId' | 'store'>,
): Promise<string> {
  if (options.secretStdin) return lines.next('--secret-stdin');
  const fromEnvironment = ctx.settings.clientSecret.value;
  if (fromEnvironment !== undefined) return fromEnvironment;
  if (ctx.dryRun) return dryRunSecret;
  const auth = await ctx.auth();
  const stored = await auth.knownClientSecret(store, baseUrl, clientId);
  const question = 'Client secret (for a public app, use --public-client)';
  return stored ?? ctx.prompt.secret(question, '--secret-stdin or UCCTL_CLIENT_SECRET');
}

async function saveProfile(ctx: Context, plan: Plan, redirectUris?: readonly string[]): Promise<void> {
  const name = ctx.settings.profile.value;
  const baseUrl = plainUrl(plan.baseUrl);
  await updateConfigFile(ctx.paths, ({ current, profiles }) => {
    const { dialect, ...former } = (Object.hasOwn(profiles, name) && profiles[name]) || {};
    // The dialect belongs to the service of the former base URL.
    const isSameService = former['baseUrl'] === undefined || former['baseUrl'] === baseUrl;
    return {
      current: current ?? name,
      profiles: {
        [name]: {
          ...former,
          ...(isSameService && dialect !== undefined && { dialect }),
          baseUrl,
          clientId: plan.clientId,
          store: storeOf(ctx, plan, former['store']),
          ...(redirectUris && { redirectUris }),
        },
      },
    };
  });
}

/**
 * Returns the setting `store` for the profile: the address of a PostgreSQL store from the flag or from the existing
 * profile, otherwise the type of the token store.
 */
function storeOf({ settings: { storeUrl } }: Context, plan: Plan, former: unknown): unknown {
  if (storeUrl.origin === 'flag') return storeUrl.value;
  // The address in a variable is not stored, because it may contain a password.
  if (plan.store === 'postgres') return former;
  return typeof former === 'string' && isStoreUrl(former) ? former : plan.store;
}

function plainUrl(url: URL): string {
  return url.href.replace(/\/$/, '');
}

/**
 * Stores the dialect of the service in the profile: the dialect that a flag or a variable sets, like the base URL, or otherwise the
 * dialect that ucctl determines.
 */
async function storeServiceDialect(ctx: Context, isSet: boolean): Promise<void> {
  const { dialect, profile } = ctx.settings;
  if (isSet && dialect.origin === 'profile') return;
  const found = isSet ? dialect.value : await announcedDialect(ctx);
  if (found !== undefined) await storeInProfile(ctx.paths, profile.value, { dialect: found });
}

async function report(ctx: Context, summary: SessionSummary): Promise<void> {
  const { profile, origin, place, name, extension } = summary;
  const user = withNumber(name, extension);
  const asUser = user === '' ? '' : ` as ${user}`;
  ctx.out.note(`Signed in to ${origin}${asUser} (profile ${profile}); the session is stored in ${place}.`);
  await ctx.out.record(loginRows.row({}, summary), loginRows.record);
}
