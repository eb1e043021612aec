import { ConnectionError } from '../errors/service.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import type { TokenReply } from '../contract/oauth.ts';
import { previewOfCode, runCodeFlow } from './code-flow.ts';
import { endpointOf, withEarlierRequests } from './endpoint-of.ts';
import type { AuthEnvironment } from './environment.ts';
import type {
  AppSignIn,
  AssertionSignIn,
  CodeSignIn,
  PasswordSignIn,
  SessionSummary,
  SessionUser,
  StoreKind,
} from '../runtime/auth.ts';
import type { SessionRepository } from './session-repository.ts';
import { retryAfter429 } from './retry-after.ts';
import { readTokenReply, type SessionRecord } from './session-record.ts';
import { signInCommand } from './session-end.ts';
import { codeRanOut, toSignInError } from './sign-in-error.ts';
import { requestToken, type Grant } from './token-endpoint.ts';

type Repositories = (kind?: StoreKind) => SessionRepository;
type Identity = Pick<SessionRecord, 'flow' | 'username' | 'extension' | 'appSession' | 'account'>;
type Request = CodeSignIn | PasswordSignIn | AppSignIn | AssertionSignIn;

/** Signs in with a user name and a password and stores the session. @throws {CommandError} the sign-in was rejected. */
export async function signInByPassword(
  environment: AuthEnvironment,
  repositories: Repositories,
  request: PasswordSignIn,
): Promise<SessionSummary> {
  const { username, extension, password } = request;
  const reply = await exchange(environment, request, { type: 'password', username, extension, password });
  return storeSession(environment, repositories, request, reply, { flow: 'password', username, extension });
}

/**
 * Signs in through the browser and stores the session (OAUTH-8 to OAUTH-22). @throws {CommandError} the sign-in was
 * rejected.
 */
export async function signInByCode(
  environment: AuthEnvironment,
  repositories: Repositories,
  request: CodeSignIn,
): Promise<SessionSummary> {
  if (environment.dryRun) {
    const { url, code } = await previewOfCode(request);
    const opened = { method: 'GET', url, body: undefined };
    const grant = { type: 'authorization_code', ...code } as const;
    throw await exchange(environment, request, grant).catch((error: unknown) =>
      withEarlierRequests([opened], error),
    );
  }
  return runCodeFlow({ ...request, signal: environment.signal }, async (code) => {
    const grant = { type: 'authorization_code', ...code } as const;
    const reply = await exchange(environment, request, grant, code.expiresInSeconds);
    const summary = await storeSession(environment, repositories, request, reply, { flow: 'code' });
    await request.beforeSuccess?.(code.redirectUri);
    return summary;
  });
}

/**
 * Signs in as the application itself and stores the session (OAUTH-28). @throws {CommandError} the sign-in was
 * rejected.
 */
export async function signInAsApp(
  environment: AuthEnvironment,
  repositories: Repositories,
  request: AppSignIn,
): Promise<SessionSummary> {
  const { session, brandId, accountId, partnerAccountId } = request;
  const reply = await exchange(environment, request, {
    type: 'client_credentials',
    brandId,
    accountId,
    partnerAccountId,
  });
  const account = accountId ?? (partnerAccountId && `partner account ${partnerAccountId}`);
  return storeSession(environment, repositories, request, reply, {
    flow: 'client-credentials',
    appSession: session,
    account,
  });
}

/** Signs in with a signed assertion and stores the session. @throws {CommandError} the sign-in was rejected. */
export async function signInByAssertion(
  environment: AuthEnvironment,
  repositories: Repositories,
  request: AssertionSignIn,
): Promise<SessionSummary> {
  const reply = await exchange(environment, request, { type: 'jwt', assertion: request.assertion });
  return storeSession(environment, repositories, request, reply, { flow: 'jwt' });
}

const flows = {
  password: 'password',
  authorization_code: 'code',
  client_credentials: 'client-credentials',
  jwt: 'jwt',
} as const;

async function exchange(
  environment: AuthEnvironment,
  request: Request,
  grant: Exclude<Grant, { type: 'refresh_token' }>,
  codeSeconds?: number,
): Promise<TokenReply> {
  const endpoint = await endpointOf(environment, request);
  // The expiry of the code limits requests and waits, because the service rejects an expired code.
  const started = environment.elapsed();
  const codeMilliseconds = (): number => (codeSeconds ?? Infinity) * 1000 - (environment.elapsed() - started);
  const ask = async (): Promise<TokenReply> => {
    const left = Math.max(1, codeMilliseconds());
    const timeoutMilliseconds = Math.min(endpoint.timeoutMilliseconds, left);
    return requestToken({ ...endpoint, timeoutMilliseconds }, grant, request).catch((error: unknown) => {
      const isOver = timeoutMilliseconds === left && error instanceof ConnectionError;
      throw isOver ? codeRanOut(codeSeconds ?? 0, error) : error;
    });
  };
  const hint = (seconds: number): Hint =>
    nextStep`the sign-in code expires before the next attempt; in ${seconds} s, run ${ucctl('login')} again`;
  try {
    return await retryAfter429(environment, ask, () => ({ milliseconds: codeMilliseconds(), hint }));
  } catch (error) {
    const usedPkce = grant.type === 'authorization_code' && grant.codeVerifier !== undefined;
    throw toSignInError(error, flows[grant.type], usedPkce);
  }
}

async function storeSession(
  environment: AuthEnvironment,
  repositories: Repositories,
  request: Request,
  reply: TokenReply,
  identity: Identity,
): Promise<SessionSummary> {
  const now = environment.now();
  const record: SessionRecord = {
    version: 1,
    origin: request.baseUrl.origin,
    clientId: request.clientId,
    clientSecret: request.clientSecret,
    ...identity,
    ...readTokenReply(reply, now),
    signedInAt: now,
    accessTtlSeconds: request.accessTtlSeconds,
    refreshTtlSeconds: request.refreshTtlSeconds,
    generation: 1,
  };
  const repository = repositories(request.store);
  await repository.locked(async (journal) => {
    await repository.write(record);
    await journal.clear();
  });
  await deleteFromFormerStore(environment, repositories, repository);
  return summarize(environment, repository, record);
}

/**
 * Stores the user with the session of a sign-in, unless another process has signed in since then.
 * @throws {CommandError} exit 12.
 */
export async function storeUser(
  environment: AuthEnvironment,
  repository: SessionRepository,
  signIn: SessionSummary,
  user: SessionUser,
): Promise<SessionSummary> {
  return repository.locked(async () => {
    const stored = await repository.read();
    if (!stored || new Date(stored.signedInAt).toISOString() !== signIn.signedInAt) return signIn;
    const named = { ...stored, user };
    await repository.write(named);
    return summarize(environment, repository, named);
  });
}

/** Deletes the session from the previous store of the profile if the store has changed. */
async function deleteFromFormerStore(
  environment: AuthEnvironment,
  repositories: Repositories,
  current: SessionRepository,
): Promise<void> {
  const former = repositories();
  if (former === current || environment.settings.store.origin === 'default') return;
  await former.store.delete(former.item).catch((error: unknown) => {
    environment.note?.(
      `Cannot remove the previous session from ${former.store.place}: ${(error as Error).message}`,
    );
  });
}

/** Describes the stored session without a request to the service; undefined if no session is stored. */
export async function describe(
  environment: AuthEnvironment,
  repository: SessionRepository,
): Promise<SessionSummary | undefined> {
  const record = await repository.read();
  return (
    record && { ...summarize(environment, repository, record), rejected: await repository.rejection(record) }
  );
}

/**
 * Returns the client secret of a stored session, if the session belongs to this app and this service.
 * Searches the store of the sign-in, then the store of the profile, which may be unavailable.
 */
export async function knownClientSecret(
  repositories: Repositories,
  store: StoreKind,
  baseUrl: URL,
  clientId: string,
): Promise<string | undefined> {
  const [own, former] = [repositories(store), repositories()];
  const known = await secretIn(own, baseUrl, clientId);
  if (known !== undefined || former === own) return known;
  return secretIn(former, baseUrl, clientId).catch(() => undefined);
}

async function secretIn(
  repository: SessionRepository,
  baseUrl: URL,
  clientId: string,
): Promise<string | undefined> {
  const record = await repository.usable();
  return record?.origin === baseUrl.origin && record.clientId === clientId ? record.clientSecret : undefined;
}

function summarize(
  environment: AuthEnvironment,
  repository: SessionRepository,
  record: SessionRecord,
): SessionSummary {
  const now = environment.now();
  const renewable = record.refreshToken !== undefined;
  const stillRenewable = renewable && now < (record.refreshExpiresAt ?? Infinity);
  return {
    profile: environment.settings.profile.value,
    origin: record.origin,
    clientId: record.clientId,
    flow: record.flow,
    username: record.username,
    name: record.user?.name,
    extension: record.extension ?? record.user?.extensionNumber,
    appSession: record.appSession,
    account: record.account,
    ownerId: record.ownerId,
    scope: record.scope,
    signedInAt: new Date(record.signedInAt).toISOString(),
    expiresAt: new Date(record.expiresAt).toISOString(),
    refreshExpiresAt:
      record.refreshExpiresAt === undefined ? undefined : new Date(record.refreshExpiresAt).toISOString(),
    signInAgain: signInCommand(record),
    renewable,
    alive: now < record.expiresAt || stillRenewable,
    store: repository.store.kind,
    place: repository.store.place,
  };
}
