import { ConnectionError } from '../errors/service.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import type { TokenReply } from '../contract/oauth.ts';
import { previewOfCode, runCodeFlow } from './code-flow.ts';
import { after, endpointOf } from './endpoint-of.ts';
import type { AuthEnvironment } from './environment.ts';
import type {
  AppSignIn,
  AssertionSignIn,
  CodeSignIn,
  PasswordSignIn,
  SessionSummary,
  StoreKind,
} from '../runtime/auth.ts';
import type { SessionKeeper } from './session-keeper.ts';
import { outwait } from './outwait.ts';
import { readTokenReply, type SessionRecord } from './session-record.ts';
import { signInCommand } from './session-end.ts';
import { codeRanOut, toSignInError } from './sign-in-error.ts';
import { requestToken, type Grant } from './token-endpoint.ts';

type Keepers = (kind?: StoreKind) => SessionKeeper;
type Identity = Pick<SessionRecord, 'flow' | 'username' | 'extension' | 'appSession' | 'account'>;
type Request = CodeSignIn | PasswordSignIn | AppSignIn | AssertionSignIn;

/** Signs in by user name and password, and keeps the session. @throws {CommandError} it was refused. */
export async function signInByPassword(
  environment: AuthEnvironment,
  keepers: Keepers,
  request: PasswordSignIn,
): Promise<SessionSummary> {
  const { username, extension, password } = request;
  const reply = await exchange(environment, request, { type: 'password', username, extension, password });
  return keep(environment, keepers, request, reply, { flow: 'password', username, extension });
}

/** Signs in through the browser and stores the session (OAUTH-8 to OAUTH-22). @throws {CommandError} the sign-in was rejected. */
export async function signInByCode(
  environment: AuthEnvironment,
  keepers: Keepers,
  request: CodeSignIn,
): Promise<SessionSummary> {
  if (environment.dryRun) {
    const { url, code } = await previewOfCode(request);
    const opened = { method: 'GET', url, body: undefined };
    const grant = { type: 'authorization_code', ...code } as const;
    throw await exchange(environment, request, grant).catch((error: unknown) => after([opened], error));
  }
  return runCodeFlow({ ...request, signal: environment.signal }, async (code) => {
    const grant = { type: 'authorization_code', ...code } as const;
    const reply = await exchange(environment, request, grant, code.expiresInSeconds);
    const summary = await keep(environment, keepers, request, reply, { flow: 'code' });
    await request.beforeSuccess?.(code.redirectUri);
    return summary;
  });
}

/** Signs in as the application itself and stores the session (OAUTH-28). @throws {CommandError} the sign-in was rejected. */
export async function signInAsApp(
  environment: AuthEnvironment,
  keepers: Keepers,
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
  return keep(environment, keepers, request, reply, {
    flow: 'client-credentials',
    appSession: session,
    account,
  });
}

/** Signs in by a signed assertion, and keeps the session. @throws {CommandError} it was refused. */
export async function signInByAssertion(
  environment: AuthEnvironment,
  keepers: Keepers,
  request: AssertionSignIn,
): Promise<SessionSummary> {
  const reply = await exchange(environment, request, { type: 'jwt', assertion: request.assertion });
  return keep(environment, keepers, request, reply, { flow: 'jwt' });
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
  // The code's end bounds it all: an answer that comes later can only be a refusal, and a wait that ends later is in vain.
  const started = environment.now();
  const codeMilliseconds = (): number => (codeSeconds ?? Infinity) * 1000 - (environment.now() - started);
  const ask = async (): Promise<TokenReply> => {
    const left = Math.max(1, codeMilliseconds());
    const timeoutMilliseconds = Math.min(endpoint.timeoutMilliseconds, left);
    return requestToken({ ...endpoint, timeoutMilliseconds }, grant, request).catch((error: unknown) => {
      const isOver = timeoutMilliseconds === left && error instanceof ConnectionError;
      throw isOver ? codeRanOut(codeSeconds ?? 0, error) : error;
    });
  };
  const hint = (seconds: number): Hint =>
    nextStep`the code of this sign-in is over by then; in ${seconds} s run ${ucctl('login')} again`;
  try {
    return await outwait(environment, ask, () => ({ milliseconds: codeMilliseconds(), hint }));
  } catch (error) {
    const usedPkce = grant.type === 'authorization_code' && grant.codeVerifier !== undefined;
    throw toSignInError(error, flows[grant.type], usedPkce);
  }
}

async function keep(
  environment: AuthEnvironment,
  keepers: Keepers,
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
  const keeper = keepers(request.store);
  await keeper.locked(async (journal) => {
    await keeper.write(record);
    journal.clear();
  });
  await forgetElsewhere(environment, keepers, keeper);
  return summarize(environment, keeper, record);
}

/** The profile moved to another store: what the former one holds is of no use, and a secret too many. */
async function forgetElsewhere(
  environment: AuthEnvironment,
  keepers: Keepers,
  kept: SessionKeeper,
): Promise<void> {
  const former = keepers();
  if (former === kept || environment.settings.store.origin === 'default') return;
  await former.store.delete(former.item).catch((error: unknown) => {
    environment.note?.(
      `The former session could not be removed from ${former.store.place}: ${(error as Error).message}`,
    );
  });
}

/** What is known of the stored session, without asking the service; undefined when there is none. */
export async function describe(
  environment: AuthEnvironment,
  keeper: SessionKeeper,
): Promise<SessionSummary | undefined> {
  const record = await keeper.read();
  return record && { ...summarize(environment, keeper, record), refused: await keeper.refusal(record) };
}

/** The app's secret, if the stored session is of this app at this service. */
export async function knownClientSecret(
  keeper: SessionKeeper,
  baseUrl: URL,
  clientId: string,
): Promise<string | undefined> {
  const record = await keeper.find();
  // What cannot be read is about to be replaced.
  if (typeof record !== 'object') return undefined;
  return record.origin === baseUrl.origin && record.clientId === clientId ? record.clientSecret : undefined;
}

function summarize(
  environment: AuthEnvironment,
  keeper: SessionKeeper,
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
    extension: record.extension,
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
    store: keeper.store.kind,
    place: keeper.store.place,
  };
}
