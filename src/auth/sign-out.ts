import {
  ApiError,
  ConnectionError,
  DryRunStop,
  RateLimitError,
  ReplyError,
  type WithheldRequest,
} from '../errors/service.ts';
import { RateBudget } from '../client/rate-budget.ts';
import { CommandError, messageOf } from '../errors/command.ts';
import { after, endpointOf } from './endpoint-of.ts';
import type { AuthEnvironment } from './environment.ts';
import type { SignOut } from '../runtime/auth.ts';
import { outwait, type WaitLimit } from './outwait.ts';
import { patience } from './patience.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { SessionRecord } from './session-record.ts';
import { revokeToken, serviceUrl, type TokenEndpoint } from './token-endpoint.ts';

/** Unless `--max-wait` or `--timeout` say more: whoever signs out wants to leave, and the tokens end by themselves. */
const patienceMilliseconds = 10_000;
const leastMilliseconds = 1000;

/**
 * Forgets the session, then revokes its tokens: nobody else waits for a service that is slow to answer. With `verify`, the former access token is
 * tried afterwards.
 */
export async function signOut(
  environment: AuthEnvironment,
  keeper: SessionKeeper,
  verify: boolean,
): Promise<SignOut> {
  if (!(await isReachable(environment, keeper))) return notSignedIn;
  let failure: Error | undefined;
  const found = await keeper.locked(async (journal) => {
    const stored = await keeper.find();
    if (environment.dryRun) return stored;
    // A session that cannot be removed here can still be ended at the service.
    await keeper.store.delete(keeper.item).catch((error: Error) => (failure = error));
    if (typeof stored === 'object') journal.clear();
    return stored;
  });
  if (typeof found !== 'object') {
    if (failure) throw failure;
    return { ...notSignedIn, unusable: environment.dryRun ? undefined : found };
  }
  if (environment.dryRun) return withholdRevocations(environment, found);
  try {
    const revocations = await revokeAll(environment, found);
    if (failure) throw notRemoved(failure, found, revocations);
    const verified = verify ? await tryFormerToken(environment, found) : undefined;
    return { signedIn: true, origin: found.origin, revocations, verified };
  } catch (error) {
    if (failure) throw error;
    environment.note?.(
      `The session was removed from this machine; its tokens may work at ${found.origin} until they expire.`,
    );
    throw error;
  }
}

const notSignedIn: SignOut = { signedIn: false, origin: undefined, revocations: [], verified: undefined };

/** The session is still here; it matters whether it is worth anything. */
function notRemoved(failure: Error, { origin }: SessionRecord, revocations: SignOut['revocations']): Error {
  if (!(failure instanceof CommandError)) return failure;
  const isEnded = revocations.every(({ answered }) => answered);
  const details = isEnded
    ? `the service at ${origin} was asked to end it, and answered 200`
    : `the service at ${origin} did not confirm that it ended it: its tokens may work until they expire`;
  return new CommandError(failure.code, failure.exit, failure.message, {
    ...(failure.hint !== undefined && { hint: failure.hint }),
    details: [...(failure.details ?? []), details],
    cause: failure,
  });
}

/** False where there is no keychain and nothing says that this profile ever kept a session in one: every sign-in writes its store into the profile. */
async function isReachable({ settings }: AuthEnvironment, keeper: SessionKeeper): Promise<boolean> {
  try {
    await keeper.find();
    return true;
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'keychain_missing') throw error;
    if (settings.store.origin === 'default') return false;
    throw new CommandError(error.code, error.exit, error.message, {
      hint: 'run it where the keychain is, such as in the desktop session in which you signed in',
      cause: error,
    });
  }
}

/** In the order in which they are revoked: a refresh token could make a new access token. */
function tokensOf({ refreshToken, accessToken }: SessionRecord) {
  const refresh = refreshToken === undefined ? [] : [{ token: 'refresh', value: refreshToken } as const];
  return [...refresh, { token: 'access', value: accessToken } as const];
}

async function revokeAll(
  environment: AuthEnvironment,
  record: SessionRecord,
): Promise<SignOut['revocations']> {
  // One for both: what the service said of its limit at the first holds for the second.
  const limit = revocationLimit(environment);
  const revocations = [];
  for (const { token, value } of tokensOf(record)) {
    revocations.push({ token, ...(await revoke(environment, record, value, limit)) });
  }
  return revocations;
}

/** @throws {DryRunStop} with the request of each token. */
async function withholdRevocations(environment: AuthEnvironment, record: SessionRecord): Promise<never> {
  const withheld: WithheldRequest[] = [];
  let stop: unknown;
  for (const { value } of tokensOf(record)) {
    stop = await revoke(environment, record, value, revocationLimit(environment)).catch((error: unknown) =>
      after(withheld, error),
    );
    if (stop instanceof DryRunStop) withheld.push(stop.withheld);
  }
  throw stop;
}

/** One request with the revoked token, because the reply to a revocation proves nothing (OAUTH-55). */
async function tryFormerToken(
  environment: AuthEnvironment,
  record: SessionRecord,
): Promise<NonNullable<SignOut['verified']>> {
  const http = await environment.http();
  try {
    const reply = await http({
      method: 'GET',
      url: serviceUrl(originUrl(environment, record), '/restapi/v1.0/subscription'),
      headers: { authorization: `Bearer ${record.accessToken}`, accept: 'application/json' },
      timeoutMilliseconds: environment.settings.timeoutSeconds.value * 1000,
      signal: environment.signal,
    });
    await reply.discard();
    if (reply.status === 401) return 'refused';
    return reply.status < 500 && reply.status !== 429 ? 'accepted' : 'unknown';
  } catch (error) {
    if (environment.signal.aborted) throw error;
    return 'unknown';
  }
}

/** The tokens go to where they came from, whatever the settings say now. */
function originUrl(environment: AuthEnvironment, record: SessionRecord): URL {
  const { value } = environment.settings.baseUrl;
  const configured = value === undefined ? undefined : new URL(value);
  return configured?.origin === record.origin ? configured : new URL(record.origin);
}

interface RevocationLimit {
  /** For the next request. */
  readonly timeoutMilliseconds: (() => number) | undefined;
  readonly wait: (() => WaitLimit) | undefined;
  readonly budget: RateBudget;
}

/** What `--timeout` and `--max-wait` say; where they say nothing, a short wait. */
function revocationLimit(environment: AuthEnvironment): RevocationLimit {
  const { timeoutSeconds, maxWaitSeconds } = environment.settings;
  const deadline = environment.now() + patienceMilliseconds;
  const left = (): number => Math.min(deadline - environment.now(), patienceMilliseconds);
  const wait = (): WaitLimit => ({ milliseconds: left(), hint: () => 'the tokens end by themselves' });
  // For both tokens together; the second is tried in any case.
  const timeout = (): number => Math.max(left(), leastMilliseconds);
  return {
    timeoutMilliseconds: timeoutSeconds.origin === 'default' ? timeout : undefined,
    wait: maxWaitSeconds.origin === 'default' ? wait : undefined,
    budget: new RateBudget(),
  };
}

async function revoke(
  environment: AuthEnvironment,
  record: SessionRecord,
  token: string,
  { timeoutMilliseconds, wait, budget }: RevocationLimit,
): Promise<{ readonly answered: boolean; readonly problem: string | undefined }> {
  const baseUrl = originUrl(environment, record);
  try {
    const endpoint = await endpointOf(environment, {
      baseUrl,
      clientId: record.clientId,
      clientSecret: record.clientSecret,
    });
    const ask = (): Promise<void> =>
      timeoutMilliseconds
        ? revokeWithin(timeoutMilliseconds(), endpoint, token)
        : revokeToken(endpoint, token);
    await outwait(environment, ask, wait, budget);
    return { answered: true, problem: undefined };
  } catch (error) {
    if (environment.signal.aborted || error instanceof DryRunStop) throw error;
    const known = [ApiError, CommandError, ConnectionError, RateLimitError, ReplyError].some(
      (kind) => error instanceof kind,
    );
    return { answered: false, problem: known ? messageOf(error) : 'the answer could not be read' };
  }
}

/** Bounds the whole of it, since a reply may come byte by byte. */
async function revokeWithin(milliseconds: number, endpoint: TokenEndpoint, token: string): Promise<void> {
  const whole = patience(milliseconds, endpoint.baseUrl.origin);
  const signal = endpoint.signal ? AbortSignal.any([endpoint.signal, whole.signal]) : whole.signal;
  try {
    await revokeToken({ ...endpoint, timeoutMilliseconds: milliseconds, signal }, token);
  } finally {
    whole.end();
  }
}
