import type { AccessTokenSource } from '../client/index.ts';
import type { Settings } from './settings.ts';
import type { CommandText } from '../errors/hint.ts';

/** Where a session is stored. */
export type StoreKind = 'keychain' | 'file' | 'memory';

/** How a session came to be. */
export type Flow = 'code' | 'password' | 'client-credentials' | 'jwt';

/** What a client-credentials session is for: OAUTH-30, OAUTH-32. */
export type AppSession = 'signup' | 'account';

/** What is wrong with a text that is no session: torn, or of another version. */
export type SessionFault = 'damaged' | 'other-version';

/** Small secrets of a profile besides its session, such as keys of subscriptions and addresses of chat webhooks. */
export interface Secrets {
  /** Undefined when there is none. @throws {CommandError} exit 12. */
  read(name: string): Promise<string | undefined>;
  /** Whether it was kept: a run with UCCTL_TOKEN keeps nothing, unless a store is named. @throws {CommandError} exit 12. */
  write(name: string, text: string): Promise<boolean>;
  /** Whether there was one. @throws {CommandError} exit 12. */
  delete(name: string): Promise<boolean>;
}

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
/** An application that acts for itself (OAUTH-28). */
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
/** A sign-in through the browser. */
export interface CodeSignIn extends SignIn {
  /** Registered addresses, in order of preference. */
  readonly redirectUris: readonly string[];
  readonly pkce: boolean;
  readonly timeoutSeconds: number;
  /** Shows a line on stderr, whatever the verbosity. */
  show(text: string): void;
  /** Opens the system's browser; false when that visibly failed. */
  openUrl(url: string): Promise<boolean>;
  /** Whether the browser may be on another machine: it is not opened, and no port is listened at. */
  readonly noBrowser: boolean;
  /** Asks for the address that the browser ended at, where it cannot come back by itself. */
  paste(question: string): Promise<string>;
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
   * Whose rate limits the requests of the session use up, the same for every profile of one user and application.
   * @throws {SignInRequiredError}
   */
  budgetOwner(): Promise<string>;
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
