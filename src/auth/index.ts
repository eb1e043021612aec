import { environmentToken } from '../client/fixed-token.ts';
import type { AccessTokenSource } from '../client/index.ts';
import type { AuthEnvironment } from './environment.ts';
import type { CodeFlowOptions } from './code-flow.ts';
import { laterFileStore } from './later-file-store.ts';
import { createKeychainStore } from './keychain-store.ts';
import { createMemoryStore } from './memory-store.ts';
import { secretsOf, type Secrets } from './secrets.ts';
import { SessionKeeper } from './session-keeper.ts';
import { Session } from './session.ts';
import type { Settings } from '../runtime/context.ts';
import type { AppSession, Flow, SessionFault } from './session-record.ts';
import type { StoreKind, TokenStore } from './token-store.ts';
import { type CommandText, ucctl } from '../errors/hint.ts';

export type { AuthEnvironment } from './environment.ts';

/** A session without its secrets. Times are ISO 8601, UTC. */
export interface SessionSummary {
  readonly profile: string;
  readonly origin: string;
  readonly clientId: string;
  readonly flow: Flow;
  readonly username: string | undefined;
  readonly extension: string | undefined;
  /** Of a client-credentials sign-in. */
  readonly appSession: AppSession | undefined;
  readonly account: string | undefined;
  /** Id of the extension that the session belongs to, when the service said so. */
  readonly ownerId: string | undefined;
  /** Permissions; unknown after a password sign-in. */
  readonly scope: string | undefined;
  readonly signedInAt: string;
  readonly expiresAt: string;
  readonly refreshExpiresAt: string | undefined;
  /** The command that makes such a session again. */
  readonly signInAgain: CommandText;
  /** Whether the service gave a refresh token. */
  readonly renewable: boolean;
  /** Whether it works, or can be renewed, now, as far as its times tell. */
  readonly alive: boolean;
  /** Why the service refused to renew it, if it did: then it has ended whatever its times say. */
  readonly refused?: string | undefined;
  readonly store: StoreKind;
  /** The store in words. */
  readonly place: string;
}

interface SignIn {
  readonly baseUrl: URL;
  readonly clientId: string;
  /** Undefined for a public app. */
  readonly clientSecret: string | undefined;
  /** Lifetimes to ask for, in seconds. */
  readonly accessTtlSeconds?: number | undefined;
  readonly refreshTtlSeconds?: number | undefined;
  /** Where to keep the session, instead of the profile's store. */
  readonly store?: StoreKind | undefined;
}
export interface PasswordSignIn extends SignIn {
  readonly username: string;
  readonly extension?: string | undefined;
  readonly password: string;
}
/** An application that stands for itself (specification, Client credentials flow). */
export interface AppSignIn extends SignIn {
  readonly session: AppSession;
  readonly brandId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly partnerAccountId?: string | undefined;
}
export interface AssertionSignIn extends SignIn {
  /** A signed JWT, as the service or a key of the user made it. */
  readonly assertion: string;
}
export interface CodeSignIn extends SignIn, Omit<CodeFlowOptions, 'signal'> {
  /** What else must be done before the browser is told that it worked, such as saving the profile. */
  readonly beforeSuccess?: (redirectUri: string) => Promise<void>;
}

export interface SignOut {
  readonly signedIn: boolean;
  /** Why what was stored could not be used, and so not be revoked; it was removed. */
  readonly unusable?: SessionFault | undefined;
  readonly origin: string | undefined;
  /** Each token with what the service answered; a failure does not keep the session on this machine. */
  readonly revocations: readonly {
    readonly token: 'refresh' | 'access';
    readonly answered: boolean;
    readonly problem: string | undefined;
  }[];
  /** What a request with the former access token gave, when that was asked for: `refused` (401) is what should be. */
  readonly verified: 'refused' | 'accepted' | 'unknown' | undefined;
}

/** The session of one profile: a source of access tokens, and signing in and out. */
export interface Auth extends AccessTokenSource {
  /**
   * Who the session belongs to, as journals tell users apart: `extension ID`, or a mark of the token or of the sign-in where the service named nobody.
   * @throws {SignInRequiredError}
   */
  owner(): Promise<string>;
  /**
   * Whose rate limits at `origin` the requests use up, the same for every profile of one user and application.
   * @throws {SignInRequiredError}
   */
  budgetOwner(origin: string): Promise<string>;
  /**
   * The stored session, of another profile when its settings are given; undefined when there is none.
   * @throws {CommandError} exit 12 when the store cannot be read.
   */
  describe(of?: Settings): Promise<SessionSummary | undefined>;
  /** Proves that the store can keep a session, before anyone signs in. @throws {CommandError} exit 12. */
  preflight(store?: StoreKind): Promise<void>;
  /** As `preflight`, and that it can be renewed there. @throws {CommandError} exit 12. */
  preflightSignIn(store: StoreKind): Promise<void>;
  /** The application secret kept with the session, when that is of this application at this origin. */
  knownClientSecret(baseUrl: URL, clientId: string): Promise<string | undefined>;
  /** What is kept in the token store beside the session. */
  readonly secrets: Secrets;
  signInByPassword(request: PasswordSignIn): Promise<SessionSummary>;
  signInByCode(request: CodeSignIn): Promise<SessionSummary>;
  signInAsApp(request: AppSignIn): Promise<SessionSummary>;
  signInByAssertion(request: AssertionSignIn): Promise<SessionSummary>;
  /** Forgets the session, then revokes its refresh token and its access token, whatever the service answers. */
  signOut(options?: { readonly verify?: boolean }): Promise<SignOut>;
}

/** Opens nothing by itself: the store is read at the first use. */
export function createAuth(environment: AuthEnvironment): Auth {
  const { settings } = environment;
  const keepers = new Map<StoreKind, SessionKeeper>();
  const keeper = (kind: StoreKind = settings.store.value): SessionKeeper => {
    const known = keepers.get(kind);
    if (known) return known;
    const made = new SessionKeeper(createStore(kind, environment), environment);
    keepers.set(kind, made);
    return made;
  };
  let session = newSource(environment, keeper());
  const signing = () => import('./signing.ts');
  const adopt = (kind: StoreKind | undefined): void => {
    session = new Session(environment, keeper(kind));
  };
  return {
    current: () => session.current(),
    renew: (refused) => session.renew(refused),
    signInCommand: async () => (await session.signInCommand?.()) ?? ucctl('login'),
    owner: async () => (session instanceof Session ? session.owner() : tokenMark(settings.token.value ?? '')),
    budgetOwner: async (origin) => {
      if (session instanceof Session) return session.budgetOwner();
      const { budgetOwnerOfToken } = await import('./budget-owner.ts');
      return budgetOwnerOfToken(origin, settings.token.value ?? '');
    },
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

/** Tells tokens apart without telling them. */
async function tokenMark(token: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return `token ${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
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
