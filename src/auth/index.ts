import { environmentToken } from '../client/fixed-token.ts';
import type { AccessTokenSource } from '../client/index.ts';
import type { Auth, StoreKind } from '../runtime/auth.ts';
import type { Settings } from '../runtime/settings.ts';
import type { AuthEnvironment } from './environment.ts';
import { lazyFileStore } from './lazy-file-store.ts';
import { createKeychainStore } from './keychain-store.ts';
import { createMemoryStore } from './memory-store.ts';
import { secretsOf, storedSecrets } from './secrets.ts';
import { SessionRepository } from './session-repository.ts';
import { StoreSessionRepository } from './store-session.ts';
import { Session } from './session.ts';
import type { TokenStore } from './token-store.ts';
import { ucctl } from '../errors/hint.ts';

export type { AuthEnvironment } from './environment.ts';

/** Creates the session access of a run. The token store is read at the first use. */
export function createAuth(environment: AuthEnvironment): Auth {
  const repository = repositoriesOf(environment);
  let session = newSource(environment, repository());
  // A run with UCCTL_TOKEN does not use the session, but may need the name of its owner.
  const stored = () => (session instanceof Session ? session : new Session(environment, repository()));
  const signing = () => import('./signing.ts');
  const adopt = async <T>(kind: StoreKind | undefined, signIn: Promise<T>): Promise<T> => {
    const summary = await signIn;
    session = new Session(environment, repository(kind));
    return summary;
  };
  return {
    current: () => session.current(),
    renew: (rejected, signal, code) => session.renew(rejected, signal, code),
    signInCommand: async () => (await session.signInCommand?.()) ?? ucctl('login'),
    owner: () => stored().owner(),
    budgetOwner: () => stored().budgetOwner(),
    preflight: (store) => repository(store).store.preflight(),
    preflightSignIn: (store) => repository(store).preflight(),
    describe: async (of) => {
      const { describe } = await signing();
      if (!of) return describe(environment, repository());
      const other = environmentOf(environment, of);
      return describe(other, createRepository(of.store.value, other));
    },
    knownClientSecret: async (store, baseUrl, clientId) =>
      (await signing()).knownClientSecret(repository, store, baseUrl, clientId),
    secrets: secretsOf(() => repository(), environment),
    async storedSecrets(of = environment.settings) {
      const other = environmentOf(environment, of);
      const kinds = [
        'file',
        'keychain',
        ...(of.store.value === 'postgres' ? ['postgres' as const] : []),
      ] as const;
      return storedSecrets(
        kinds.map((kind) => createRepository(kind, other)),
        other,
      );
    },
    signInByPassword: async (request) =>
      adopt(request.store, (await signing()).signInByPassword(environment, repository, request)),
    signInByCode: async (request) =>
      adopt(request.store, (await signing()).signInByCode(environment, repository, request)),
    signInAsApp: async (request) =>
      adopt(request.store, (await signing()).signInAsApp(environment, repository, request)),
    signInByAssertion: async (request) =>
      adopt(request.store, (await signing()).signInByAssertion(environment, repository, request)),
    storeUser: async (signIn, user) =>
      (await signing()).storeUser(environment, repository(signIn.store), signIn, user),
    signOut: async (options) =>
      (await import('./sign-out.ts')).signOut(environment, repository(), options?.verify ?? false),
  };
}

/** Returns the repository of the session in a token store; by default in the store of the profile. Each is created once. */
function repositoriesOf(environment: AuthEnvironment): (kind?: StoreKind) => SessionRepository {
  const repositories = new Map<StoreKind, SessionRepository>();
  return (kind = environment.settings.store.value) => {
    const known = repositories.get(kind);
    if (known) return known;
    const made = createRepository(kind, environment);
    repositories.set(kind, made);
    return made;
  };
}

/** Returns the environment of another profile. */
function environmentOf(environment: AuthEnvironment, settings: Settings): AuthEnvironment {
  const isSame = settings.storeUrl.value === environment.settings.storeUrl.value;
  const { storeOf } = environment;
  const store = storeOf && (() => storeOf(settings));
  return { ...environment, settings, ...(!isSame && { store }) };
}

function newSource(environment: AuthEnvironment, repository: SessionRepository): AccessTokenSource {
  const { token } = environment.settings;
  return token.value === undefined ? new Session(environment, repository) : environmentToken(token.value);
}

function createRepository(kind: StoreKind, environment: AuthEnvironment): SessionRepository {
  if (kind === 'postgres') return new StoreSessionRepository(environment);
  return new SessionRepository(createStore(kind, environment), environment);
}

function createStore(kind: Exclude<StoreKind, 'postgres'>, environment: AuthEnvironment): TokenStore {
  if (kind === 'file') return lazyFileStore(environment.paths.config);
  if (kind === 'memory') return createMemoryStore();
  return createKeychainStore(environment);
}
