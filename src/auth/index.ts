import { environmentToken } from '../client/fixed-token.ts';
import type { AccessTokenSource } from '../client/index.ts';
import type { Auth, StoreKind } from '../runtime/auth.ts';
import type { AuthEnvironment } from './environment.ts';
import { laterFileStore } from './later-file-store.ts';
import { createKeychainStore } from './keychain-store.ts';
import { createMemoryStore } from './memory-store.ts';
import { secretsOf } from './secrets.ts';
import { SessionKeeper } from './session-keeper.ts';
import { Session } from './session.ts';
import type { TokenStore } from './token-store.ts';
import { ucctl } from '../errors/hint.ts';

export type { AuthEnvironment } from './environment.ts';

/** Opens nothing by itself: the store is read at the first use. */
export function createAuth(environment: AuthEnvironment): Auth {
  const { settings } = environment;
  const keeper = keepersOf(environment);
  let session = newSource(environment, keeper());
  const signing = () => import('./signing.ts');
  const adopt = (kind: StoreKind | undefined): void => {
    session = new Session(environment, keeper(kind));
  };
  return {
    current: () => session.current(),
    renew: (refused) => session.renew(refused),
    signInCommand: async () => (await session.signInCommand?.()) ?? ucctl('login'),
    owner: async () => {
      if (session instanceof Session) return session.owner();
      const { tokenMark } = await import('./budget-owner.ts');
      return tokenMark(settings.token.value ?? '');
    },
    budgetOwner: () =>
      (session instanceof Session ? session : new Session(environment, keeper())).budgetOwner(),
    preflight: (store) => keeper(store).store.preflight(),
    preflightSignIn: (store) => keeper(store).preflight(),
    describe: async (of) => {
      const { describe } = await signing();
      if (!of) return describe(environment, keeper());
      const other = { ...environment, settings: of };
      return describe(other, new SessionKeeper(createStore(of.store.value, other), other));
    },
    knownClientSecret: async (baseUrl, clientId) =>
      (await signing()).knownClientSecret(keeper(), baseUrl, clientId),
    secrets: secretsOf(() => keeper(), environment),
    async signInByPassword(request) {
      const summary = await (await signing()).signInByPassword(environment, keeper, request);
      adopt(request.store);
      return summary;
    },
    async signInByCode(request) {
      const summary = await (await signing()).signInByCode(environment, keeper, request);
      adopt(request.store);
      return summary;
    },
    async signInAsApp(request) {
      const summary = await (await signing()).signInAsApp(environment, keeper, request);
      adopt(request.store);
      return summary;
    },
    async signInByAssertion(request) {
      const summary = await (await signing()).signInByAssertion(environment, keeper, request);
      adopt(request.store);
      return summary;
    },
    signOut: async (options) =>
      (await import('./sign-out.ts')).signOut(environment, keeper(), options?.verify ?? false),
  };
}

/** The keeper of the session in each store, made once; that of the profile's store where none is named. */
function keepersOf(environment: AuthEnvironment): (kind?: StoreKind) => SessionKeeper {
  const keepers = new Map<StoreKind, SessionKeeper>();
  return (kind = environment.settings.store.value) => {
    const known = keepers.get(kind);
    if (known) return known;
    const made = new SessionKeeper(createStore(kind, environment), environment);
    keepers.set(kind, made);
    return made;
  };
}

function newSource(environment: AuthEnvironment, keeper: SessionKeeper): AccessTokenSource {
  const { token } = environment.settings;
  return token.value === undefined ? new Session(environment, keeper) : environmentToken(token.value);
}

function createStore(kind: StoreKind, environment: AuthEnvironment): TokenStore {
  if (kind === 'file') return laterFileStore(environment.paths.config);
  if (kind === 'memory') return createMemoryStore();
  return createKeychainStore(environment);
}
