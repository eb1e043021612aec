import type { AuthEnvironment } from '../auth/index.ts';
import type { AccessTokenSource, HttpSend, Wait } from '../client/index.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import type { Auth } from '../runtime/auth.ts';
import type { Settings } from '../runtime/settings.ts';
import type { Parts } from './parts.ts';
import { checkedStore, connectedStore } from './store.ts';

/** Parts of a run that sign-in shares with other code. */
interface Shared {
  readonly http: () => Promise<HttpSend>;
  readonly onWait: (wait: Wait) => void;
  /** The PostgreSQL store that machines share. */
  readonly store: () => Promise<Postgres>;
}

/** Signing in and out, and the stored session. */
export async function openAuth(parts: Parts, { http, onWait, store }: Shared): Promise<Auth> {
  const { system, globals, settings, paths, out } = parts;
  const { createAuth } = await import('../auth/index.ts');
  const shared = await sharedParts({ system, settings }, store);
  const environment: AuthEnvironment = {
    settings,
    paths,
    env: system.env,
    platform: system.platform,
    http,
    now: () => system.now(),
    elapsed: () => system.elapsed(),
    signal: system.signal,
    interactive: () => system.stdin.isTerminal && system.stderr.isTerminal,
    dryRun: globals.dryRun ?? false,
    note: (text) => out.warn(text),
    onWait,
    sleep: (milliseconds) => system.sleep(milliseconds, system.signal),
    storeOf: storesOf(parts),
    ...shared,
  };
  return createAuth(environment);
}

/** Returns the parts of sign-in that use the PostgreSQL store; none without a store. */
async function sharedParts(
  parts: Pick<Parts, 'system' | 'settings'>,
  store: () => Promise<Postgres>,
): Promise<Pick<AuthEnvironment, 'store' | 'limiter'>> {
  if (parts.settings.storeUrl.value === undefined) return {};
  const { fleetLimiter } = await import('./fleet.ts');
  const make = await fleetLimiter(parts.system, store);
  return { store, limiter: make };
}

/** Opens the PostgreSQL stores of other profiles, each once. */
function storesOf(parts: Parts): (settings: Settings) => Promise<Postgres> {
  const stores = new Map<string | undefined, Promise<Postgres>>();
  return (settings) => {
    const url = settings.storeUrl.value;
    const opened = stores.get(url) ?? checkedStore(() => connectedStore({ ...parts, settings }));
    stores.set(url, opened);
    return opened;
  };
}

/** Returns the source of access tokens: `UCCTL_TOKEN`, else the session. */
export async function tokensOf({ settings }: Parts, auth: () => Promise<Auth>): Promise<AccessTokenSource> {
  const token = settings.token.value;
  if (token === undefined) return auth();
  const { environmentToken } = await import('../client/fixed-token.ts');
  return environmentToken(token);
}
