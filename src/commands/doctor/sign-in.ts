import type { SessionSummary } from '../../runtime/auth.ts';
import { grantedPermissions, unknownPermissions } from '../../config/granted-permissions.ts';
import { ApiError, ReplyError } from '../../errors/service.ts';
import type { Context } from '../../runtime/context.ts';
import { permissionsIn } from '../../runtime/define.ts';
import { withNumber } from '../../runtime/with-number.ts';
import { fail, failureOf, ok, warn, type Finding } from './finding.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { counted } from '../../platform/counted.ts';

/** Checks that the token store can write, read and delete an item. */
export async function checkStore(ctx: Context): Promise<Finding> {
  const { store, token } = ctx.settings;
  if (token.value !== undefined) return ok('keychain', 'not used: UCCTL_TOKEN is set');
  if (store.value === 'memory') {
    return warn(
      'keychain',
      'sessions are stored in memory only and end with each command',
      ucctl('config set store keychain'),
    );
  }
  try {
    const auth = await ctx.auth();
    await auth.preflight();
  } catch (error) {
    ctx.signal.throwIfAborted();
    return failureOf('keychain', error, nextStep`${ucctl('login --store file')} (plain text, mode 0600)`);
  }
  if (store.value === 'postgres')
    return ok('keychain', 'not used: the session is encrypted in the PostgreSQL store');
  if (store.value === 'keychain') return ok('keychain', 'ucctl can write, read and delete a session');
  return warn(
    'keychain',
    'not used: the profile stores the session in a plain text file (mode 0600)',
    nextStep`to store the session in a keychain: ${ucctl('login --store keychain')}`,
  );
}

/** Checks that there is a session, that it has not expired, and that the service accepts it. */
export async function checkToken(ctx: Context): Promise<readonly Finding[]> {
  if (ctx.settings.token.value !== undefined) {
    return withPermissions(await tryToken(ctx, 'UCCTL_TOKEN'), () =>
      permissionsUnknown('the permissions of UCCTL_TOKEN are unknown'),
    );
  }
  let session: SessionSummary | undefined;
  try {
    const auth = await ctx.auth();
    session = await auth.describe();
  } catch (error) {
    return [failureOf('token', error, ucctl('login'))];
  }
  const login = session?.signInAgain ?? ucctl('login');
  if (!session) return [fail('token', `profile "${ctx.settings.profile.value}" is not signed in`, login)];
  if (!session.alive) {
    const end = session.refreshExpiresAt ?? session.expiresAt;
    return [fail('token', `${sessionText(session)} expired at ${end}`, login)];
  }
  const token = await tryToken(ctx, sessionText(session), session);
  return withPermissions(token, () => checkPermissions(ctx, session.scope, login));
}

/** Returns the session with its user, if the user is known. */
function sessionText({ name, username, extension }: SessionSummary): string {
  const user = withNumber(name ?? username, extension);
  return `the session${user === '' ? '' : ` of ${user}`}`;
}

/** Checks the permissions of a token, unless the service rejects the token. */
async function withPermissions(
  token: Finding,
  check: () => Finding | Promise<Finding>,
): Promise<readonly Finding[]> {
  return token.result === 'fail' ? [token] : [token, await check()];
}

/**
 * Lists the subscriptions, because every user has the permission for it. A client-credentials session does not have the
 * permission, so this check is skipped.
 */
async function tryToken(ctx: Context, what: string, session?: SessionSummary): Promise<Finding> {
  if (session?.appSession !== undefined) return tokenFinding(what, session);
  try {
    const api = await ctx.api();
    await api.subscriptions.list({ signal: ctx.signal });
  } catch (error) {
    ctx.signal.throwIfAborted();
    return failureOf(
      'token',
      error,
      isOtherServer(error) ? checkBaseUrl : (session?.signInAgain ?? ucctl('login')),
    );
  }
  return tokenFinding(`the service accepts ${what}`, session);
}

const checkBaseUrl = nextStep`check the base URL: ${ucctl('config list --show-origin')}`;

/** Whether the reply shows that the base URL is the address of another server, so that a new session does not help. */
function isOtherServer(error: unknown): boolean {
  return error instanceof ReplyError || (error instanceof ApiError && error.status === 404);
}

function tokenFinding(text: string, session: SessionSummary | undefined): Finding {
  if (!session || session.renewable) return ok('token', text);
  const todo = nextStep`when the session has ended, sign in again: ${session.signInAgain}`;
  return warn(
    'token',
    `${text}; the session ends at ${session.expiresAt} because it has no refresh token`,
    todo,
  );
}

/** Lists the commands for which the session lacks permissions. */
async function checkPermissions(ctx: Context, scope: string | undefined, login: Hint): Promise<Finding> {
  const granted = grantedPermissions(scope);
  if (!granted || scope === undefined)
    return permissionsUnknown('the service did not report the permissions of the session at the sign-in');
  const commands = await ctx.commands();
  const dialect = ctx.settings.dialect.value;
  const lacking = commands.flatMap((command) => {
    const missing = permissionsIn(dialect, command).filter((name) => !granted.includes(name));
    return missing.length > 0 ? [`ucctl ${command.path.join(' ')} (${missing.join(', ')})`] : [];
  });
  if (lacking.length === 0) return ok('permissions', 'the permissions are sufficient for every command');
  const unknown = unknownPermissions(scope, dialect);
  if (unknown.length > 0) {
    return permissionsUnknown(
      `the session has permissions that ucctl does not know (${unknown.join(', ')}); they may be sufficient for ${lacking.join('; ')}`,
    );
  }
  return warn(
    'permissions',
    `permissions are missing for ${lacking.length} of ${counted(commands.length, 'command')}: ${lacking.join('; ')}`,
    nextStep`add the permissions to the app registration, then sign in again: ${login}`,
  );
}

function permissionsUnknown(why: string): Finding {
  return ok('permissions', `not checked: ${why}`);
}
