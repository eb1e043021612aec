import type { SessionSummary } from '../../runtime/auth.ts';
import { grantedPermissions } from '../../config/granted-permissions.ts';
import type { Context } from '../../runtime/context.ts';
import { fail, failureOf, ok, warn, type Finding } from './finding.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

/** Where sessions are kept: proves that it takes, gives back and forgets an item. */
export async function checkStore(ctx: Context): Promise<Finding> {
  const { store, token } = ctx.settings;
  if (token.value !== undefined) return ok('keychain', 'not used: UCCTL_TOKEN is set');
  if (store.value === 'memory') {
    return warn(
      'keychain',
      'sessions are kept in memory: they end with each command',
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
  if (store.value === 'keychain') return ok('keychain', 'keeps, gives back and forgets a session');
  return warn(
    'keychain',
    'not used: the session is in a plain text file (mode 0600), as the profile says',
    nextStep`where there is a keychain: ${ucctl('login --store keychain')}`,
  );
}

/** Whether there is a session, until when, and whether the service takes it now. */
export async function checkToken(ctx: Context): Promise<readonly Finding[]> {
  if (ctx.settings.token.value !== undefined) {
    return [await tryToken(ctx, 'UCCTL_TOKEN'), unknownPermissions('UCCTL_TOKEN says nothing of them')];
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
    return [fail('token', `the session ended at ${session.refreshExpiresAt ?? session.expiresAt}`, login)];
  }
  return [await tryToken(ctx, 'the session', session), await checkPermissions(ctx, session.scope, login)];
}

/** Lists the subscriptions: any user of any app may. A session of an application itself may not, and is not tried. */
async function tryToken(ctx: Context, what: string, session?: SessionSummary): Promise<Finding> {
  if (session?.appSession !== undefined) return lasting(what, session);
  try {
    const api = await ctx.api();
    await api.subscriptions.list({ signal: ctx.signal });
  } catch (error) {
    ctx.signal.throwIfAborted();
    return failureOf('token', error, session?.signInAgain ?? ucctl('login'));
  }
  return lasting(`${what} is accepted by the service`, session);
}

function lasting(text: string, session: SessionSummary | undefined): Finding {
  if (!session || session.renewable) return ok('token', text);
  const todo = nextStep`sign in again then: ${session.signInAgain}`;
  return warn('token', `${text}, until ${session.expiresAt}: there is no refresh token`, todo);
}

/** Which commands the permissions of the session do not reach. */
async function checkPermissions(ctx: Context, scope: string | undefined, login: Hint): Promise<Finding> {
  const granted = grantedPermissions(scope);
  if (!granted) return unknownPermissions('the service does not tell them after a sign-in by password');
  const commands = await ctx.commands();
  const lacking = commands.flatMap(({ path, permissions = [] }) => {
    const missing = permissions.filter((name) => !granted.includes(name));
    return missing.length > 0 ? [`ucctl ${path.join(' ')} (${missing.join(', ')})`] : [];
  });
  if (lacking.length === 0) return ok('permissions', 'every command has what it needs');
  return warn(
    'permissions',
    `not for ${lacking.length} of ${commands.length} commands: ${lacking.join('; ')}`,
    nextStep`add the permissions to the application's registration, then: ${login}`,
  );
}

function unknownPermissions(why: string): Finding {
  return ok('permissions', `unknown: ${why}`);
}
