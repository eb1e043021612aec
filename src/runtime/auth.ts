import type { AccessTokenSource } from '../client/index.ts';
import type { Settings } from './settings.ts';
import { type CommandText, type Hint } from '../errors/hint.ts';

/** Where a session is stored. */
export type StoreKind = 'keychain' | 'file' | 'memory' | 'postgres';

/** The way in which the user signed in. */
export type Flow = 'code' | 'password' | 'client-credentials' | 'jwt';

/** Kind of a client-credentials session: OAUTH-30, OAUTH-32. */
export type AppSession = 'signup' | 'account';

/** Why a stored session cannot be used: it is damaged, or another version wrote it. */
export type SessionFault = 'damaged' | 'other-version';

/** Secrets of a profile other than its session, such as keys of subscriptions and addresses of chat webhooks. */
export interface Secrets {
  /** Undefined if no such secret is stored. @throws {CommandError} exit 12. */
  read(name: string): Promise<string | undefined>;
  /**
   * Returns whether the secret was stored: a run with UCCTL_TOKEN stores nothing unless a store is named.
   * @throws {CommandError} exit 12.
   */
  write(name: string, text: string): Promise<boolean>;
  /** Returns whether the secret existed. @throws {CommandError} exit 12. */
  delete(name: string): Promise<boolean>;
}

/** The secrets of a profile in one token store. */
export interface StoredSecrets {
  /** Description of the store for people. */
  readonly place: string;
  readonly count: number;
  /** Deletes all of them. @throws {CommandError} exit 12. */
  delete(): Promise<void>;
}

/** The user of a session, as people know the user. Neither member is empty. */
export interface SessionUser {
  readonly name?: string | undefined;
  readonly extensionNumber?: string | undefined;
}

/** A session without its secrets. Times are ISO 8601, UTC. */
export interface SessionSummary {
  readonly profile: string;
  readonly origin: string;
  readonly clientId: string;
  readonly flow: Flow;
  readonly username: string | undefined;
  /** Name of the user at the time of the sign-in, if it could be read. */
  readonly name: string | undefined;
  /** Extension number of the user: as the user entered it, or as the service reported it. */
  readonly extension: string | undefined;
  /** The account of a client-credentials session, as named at sign-in. */
  readonly appSession: AppSession | undefined;
  readonly account: string | undefined;
  /** ID of the extension that the session belongs to, if the service reported the ID. */
  readonly ownerId: string | undefined;
  /** Permissions; undefined after a sign-in with a password, because the service then does not report permissions. */
  readonly scope: string | undefined;
  readonly signedInAt: string;
  readonly expiresAt: string;
  readonly refreshExpiresAt: string | undefined;
  /** The command for signing in again in the same way. */
  readonly signInAgain: CommandText;
  /** Whether the service gave a refresh token. */
  readonly renewable: boolean;
  /** Whether the session can be used: it has not expired, or can be renewed. */
  readonly alive: boolean;
  /** The reason why the service rejected a renewal. If present, the session has ended, even if it has not expired. */
  readonly rejected?: string | undefined;
  readonly store: StoreKind;
  /** Description of the store for people. */
  readonly place: string;
}

interface SignIn {
  readonly baseUrl: URL;
  readonly clientId: string;
  /** The client secret; undefined for a public app. */
  readonly clientSecret: string | undefined;
  /** The lifetimes to request, in seconds. */
  readonly accessTtlSeconds?: number | undefined;
  readonly refreshTtlSeconds?: number | undefined;
  /** The token store to use instead of the token store in the profile. */
  readonly store?: StoreKind | undefined;
}
export interface PasswordSignIn extends SignIn {
  readonly username: string;
  readonly extension?: string | undefined;
  readonly password: string;
}
/** An application that acts for itself (OAUTH-28). */
export interface AppSignIn extends SignIn {
  readonly session: AppSession;
  readonly brandId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly partnerAccountId?: string | undefined;
}
export interface AssertionSignIn extends SignIn {
  /** A JWT, signed by the service or with a key of the user. */
  readonly assertion: string;
}
/** A sign-in through the browser. */
export interface CodeSignIn extends SignIn {
  /** The registered redirect URIs, in order of preference. */
  readonly redirectUris: readonly string[];
  readonly pkce: boolean;
  readonly timeoutSeconds: number;
  /** Writes a line to stderr, even with `--quiet`. */
  show(text: Hint): void;
  /** Opens the system's browser; false if that failed. */
  openUrl(url: string): Promise<boolean>;
  /** Whether the browser may be on another machine. If true, ucctl opens no browser and listens on no port. */
  readonly noBrowser: boolean;
  /** Asks for the final address of the browser, if the redirect cannot reach this process. */
  paste(question: string): Promise<string>;
  /** Called before the browser shows that the sign-in succeeded, e.g. to save the profile. */
  readonly beforeSuccess?: (redirectUri: string) => Promise<void>;
}

export interface SignOut {
  readonly signedIn: boolean;
  /** Why the stored session could not be used. It was removed, unless this is a dry run, but not revoked. */
  readonly unusable?: SessionFault | undefined;
  readonly origin: string | undefined;
  /**
   * Each token, and whether the service confirmed its revocation. The session is removed from this machine in
   * any case.
   */
  readonly revocations: readonly {
    readonly token: 'refresh' | 'access';
    readonly confirmed: boolean;
    readonly problem: string | undefined;
  }[];
  /** Result of a request with the former access token, if one was sent: `rejected` (401) is expected. */
  readonly verified: 'rejected' | 'accepted' | 'unknown' | undefined;
}

/** The session of one profile: a source of access tokens, and signing in and out. */
export interface Auth extends AccessTokenSource {
  /**
   * Returns the user of the stored session, as journals identify users: `extension ID`, or the sign-in if the service
   * did not report the extension. `Context.sender` is the user of this run, which may have a token instead of a
   * session.
   * @throws {SignInRequiredError}
   */
  owner(): Promise<string>;
  /**
   * Name of the rate limits that requests of the stored session share. All profiles of a user and an application have
   * the same name.
   * @throws {SignInRequiredError}
   */
  budgetOwner(): Promise<string>;
  /**
   * Returns the stored session of this profile, or of the profile with the given settings; undefined if there is none.
   * @throws {CommandError} exit 12 when the store cannot be read.
   */
  describe(of?: Settings): Promise<SessionSummary | undefined>;
  /** Checks that the store can save a session, before the user signs in. @throws {CommandError} exit 12. */
  preflight(store?: StoreKind): Promise<void>;
  /** Like `preflight`, but also checks that a session in the store can be renewed. @throws {CommandError} exit 12. */
  preflightSignIn(store: StoreKind): Promise<void>;
  /**
   * Returns the client secret that this store, or the store of the profile, contains for this app and
   * origin.
   */
  knownClientSecret(store: StoreKind, baseUrl: URL, clientId: string): Promise<string | undefined>;
  /** Further secrets in the token store. */
  readonly secrets: Secrets;
  /**
   * Returns the secrets of this profile, or of the profile with the given settings, for each token store that contains
   * any: the stores of this machine, and the PostgreSQL store of the profile.
   * @throws {CommandError} exit 12 when a store cannot be read.
   */
  storedSecrets(of?: Settings): Promise<readonly StoredSecrets[]>;
  signInByPassword(request: PasswordSignIn): Promise<SessionSummary>;
  signInByCode(request: CodeSignIn): Promise<SessionSummary>;
  signInAsApp(request: AppSignIn): Promise<SessionSummary>;
  signInByAssertion(request: AssertionSignIn): Promise<SessionSummary>;
  /**
   * Stores the user with the session of a sign-in, unless another process has signed in since then.
   * @throws {CommandError} exit 12.
   */
  storeUser(signIn: SessionSummary, user: SessionUser): Promise<SessionSummary>;
  /** Removes the session, then revokes its refresh token and its access token. */
  signOut(options?: { readonly verify?: boolean }): Promise<SignOut>;
}
