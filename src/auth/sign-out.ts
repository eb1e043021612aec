import { DryRunStop, type DryRunRequest } from '../errors/dry-run-stop.ts';
import { ApiError, ConnectionError, RateLimitError, ReplyError } from '../errors/service.ts';
import { isFinalRejection } from '../errors/service-codes.ts';
import { toApiError } from '../client/error-reply.ts';
import type { HttpReply } from '../client/http.ts';
import { RateBudget } from '../client/rate-budget.ts';
import { isJsonType } from '../platform/json-type.ts';
import { CommandError, KeychainMissingError, messageOf } from '../errors/command.ts';
import { endpointOf, withEarlierRequests } from './endpoint-of.ts';
import type { AuthEnvironment } from './environment.ts';
import type { SignOut } from '../runtime/auth.ts';
import { retryAfter429, type WaitLimit } from './retry-after.ts';
import { startDeadline } from './deadline.ts';
import type { SessionRepository } from './session-repository.ts';
import type { SessionRecord } from './session-record.ts';
import { revokeToken, serviceUrl, type TokenEndpoint } from './token-endpoint.ts';

/** Limit for both revocations without `--max-wait` and `--timeout`: short, because the tokens expire anyway. */
const revocationMilliseconds = 10_000;
/** Shortest timeout of a revocation. */
const leastMilliseconds = 1000;

/**
 * Removes the session, then revokes its tokens, so that other processes do not wait for a slow service. With `verify`,
 * a request with the former access token follows.
 */
export async function signOut(
  environment: AuthEnvironment,
  repository: SessionRepository,
  verify: boolean,
): Promise<SignOut> {
  if (!(await isReachable(environment, repository))) return notSignedIn;
  let failure: Error | undefined;
  const found = await repository.locked(async (journal) => {
    const stored = await repository.find();
    if (environment.dryRun) return stored;
    // The tokens are revoked even if the session cannot be removed from this machine.
    await repository.store.delete(repository.item).catch((error: Error) => (failure = error));
    if (typeof stored === 'object') await journal.clear();
    return stored;
  });
  if (typeof found !== 'object') {
    if (failure) throw failure;
    return { ...notSignedIn, unusable: found };
  }
  if (environment.dryRun) return previewRevocations(environment, found);
  try {
    const revocations = await revokeAll(environment, found);
    if (failure) throw notRemoved(failure, found, revocations);
    const verified = verify ? await tryFormerToken(environment, found) : undefined;
    return { signedIn: true, origin: found.origin, revocations, verified };
  } catch (error) {
    if (failure) throw error;
    environment.note?.(
      `ucctl removed the session from this machine, but its tokens may be valid at ${found.origin} until they expire.`,
    );
    throw error;
  }
}

const notSignedIn: SignOut = { signedIn: false, origin: undefined, revocations: [], verified: undefined };

/** Returns the error for a session that could not be removed, with the result of the revocation. */
function notRemoved(failure: Error, { origin }: SessionRecord, revocations: SignOut['revocations']): Error {
  if (!(failure instanceof CommandError)) return failure;
  const isRevoked = revocations.every(({ confirmed }) => confirmed);
  const details = isRevoked
    ? `the service at ${origin} confirmed that it revoked the tokens`
    : `the service at ${origin} did not confirm that it revoked the tokens: the tokens may stay valid until they expire`;
  return new CommandError(failure.code, failure.exit, failure.message, {
    ...(failure.hint !== undefined && { hint: failure.hint }),
    details: [...(failure.details ?? []), details],
    cause: failure,
  });
}

/**
 * Whether the token store can be read. False without a keychain if the profile has no setting `store`: every
 * sign-in saves that setting, so no session is stored.
 */
async function isReachable({ settings }: AuthEnvironment, repository: SessionRepository): Promise<boolean> {
  try {
    await repository.find();
    return true;
  } catch (error) {
    if (!(error instanceof KeychainMissingError)) throw error;
    if (settings.store.origin === 'default') return false;
    throw new KeychainMissingError(error.message, {
      hint: 'run the command where the keychain is available, for example in your desktop session',
      cause: error,
    });
  }
}

/**
 * Returns the tokens in the order of revocation: the refresh token first, because it could be used for a new access
 * token.
 */
function tokensOf({ refreshToken, accessToken }: SessionRecord) {
  const refresh = refreshToken === undefined ? [] : [{ token: 'refresh', value: refreshToken } as const];
  return [...refresh, { token: 'access', value: accessToken } as const];
}

async function revokeAll(
  environment: AuthEnvironment,
  record: SessionRecord,
): Promise<SignOut['revocations']> {
  // Both revocations share one limiter, because a rate limit that the first request reported also applies
  // to the second.
  const limit = revocationLimit(environment);
  const revocations = [];
  for (const { token, value } of tokensOf(record)) {
    revocations.push({ token, ...(await revoke(environment, record, value, limit)) });
  }
  return revocations;
}

/** Ends the dry run. @throws {DryRunStop} with the request for each token. */
async function previewRevocations(environment: AuthEnvironment, record: SessionRecord): Promise<never> {
  const requests: DryRunRequest[] = [];
  let stop: unknown;
  for (const { value } of tokensOf(record)) {
    stop = await revoke(environment, record, value, revocationLimit(environment)).catch((error: unknown) =>
      withEarlierRequests(requests, error),
    );
    if (stop instanceof DryRunStop) requests.push(stop.request);
  }
  throw stop;
}

const verifiedPath = '/restapi/v1.0/subscription';

/**
 * Sends one request with the revoked token, because the service confirms a revocation even if it had no
 * effect (OAUTH-55).
 */
async function tryFormerToken(
  environment: AuthEnvironment,
  record: SessionRecord,
): Promise<NonNullable<SignOut['verified']>> {
  const http = await environment.http();
  try {
    const reply = await http({
      method: 'GET',
      url: serviceUrl(originUrl(environment, record), verifiedPath),
      headers: { authorization: `Bearer ${record.accessToken}`, accept: 'application/json' },
      timeoutMilliseconds: environment.settings.timeoutSeconds.value * 1000,
      signal: environment.signal,
    });
    return await readVerification(reply);
  } catch (error) {
    if (environment.signal.aborted) throw error;
    return 'unknown';
  }
}

/** Returns what a reply to the former token proves. The page of another server, such as a proxy, proves nothing. */
async function readVerification(reply: HttpReply): Promise<NonNullable<SignOut['verified']>> {
  if (reply.status < 400) {
    await reply.discard();
    return reply.status < 300 && isJsonType(reply.header('content-type')) ? 'accepted' : 'unknown';
  }
  const error = toApiError(reply, await reply.text(), { method: 'GET', path: verifiedPath });
  if (!isFinalRejection(error)) return 'unknown';
  return error.status === 401 ? 'rejected' : 'accepted';
}

/** Returns the origin of the tokens, which may differ from the current base URL. Tokens are sent to no other origin. */
function originUrl(environment: AuthEnvironment, record: SessionRecord): URL {
  const { value } = environment.settings.baseUrl;
  const configured = value === undefined ? undefined : new URL(value);
  return configured?.origin === record.origin ? configured : new URL(record.origin);
}

interface RevocationLimit {
  /** Timeout of the next request. */
  readonly timeoutMilliseconds: (() => number) | undefined;
  readonly wait: (() => WaitLimit) | undefined;
  readonly budget: RateBudget;
}

/** Returns the limits of `--timeout` and `--max-wait`, or short limits if the options are not set. */
function revocationLimit(environment: AuthEnvironment): RevocationLimit {
  const { timeoutSeconds, maxWaitSeconds } = environment.settings;
  const deadline = environment.elapsed() + revocationMilliseconds;
  const left = (): number => deadline - environment.elapsed();
  const wait = (): WaitLimit => ({
    milliseconds: left(),
    hint: () => 'the tokens expire even if the service does not revoke them',
  });
  // Both revocations share the time limit, but the second revocation is always attempted.
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
): Promise<{ readonly confirmed: boolean; readonly problem: string | undefined }> {
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
    await retryAfter429(environment, ask, wait, budget);
    return { confirmed: true, problem: undefined };
  } catch (error) {
    if (environment.signal.aborted || error instanceof DryRunStop) throw error;
    const known = [ApiError, CommandError, ConnectionError, RateLimitError, ReplyError].some(
      (kind) => error instanceof kind,
    );
    return { confirmed: false, problem: known ? messageOf(error) : 'ucctl could not read the reply' };
  }
}

/** Revokes a token within a total time, because a reply may arrive byte by byte. */
async function revokeWithin(milliseconds: number, endpoint: TokenEndpoint, token: string): Promise<void> {
  const whole = startDeadline(milliseconds, endpoint.baseUrl.origin);
  const signal = endpoint.signal ? AbortSignal.any([endpoint.signal, whole.signal]) : whole.signal;
  try {
    await revokeToken({ ...endpoint, timeoutMilliseconds: milliseconds, signal }, token);
  } finally {
    whole.end();
  }
}
