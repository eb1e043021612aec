import {
  ApiError,
  ConnectionError,
  DryRunStop,
  RateLimitError,
  ReplyError,
  type WithheldRequest,
} from '../client/index.ts';
import { CommandError, messageOf } from '../runtime/errors.ts';
import { after, endpointOf } from './endpoint-of.ts';
import type { AuthEnvironment } from './environment.ts';
import type { SignOut } from './index.ts';
import { outwait } from './outwait.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { SessionRecord } from './session-record.ts';
import { revokeToken, serviceUrl } from './token-endpoint.ts';

/** Revokes the tokens and forgets the session. With `verify`, the former access token is tried afterwards. */
export async function signOut(
  environment: AuthEnvironment,
  keeper: SessionKeeper,
  verify: boolean,
): Promise<SignOut> {
  if (!(await isReachable(environment, keeper))) return notSignedIn;
  return keeper.locked(async (journal) => {
    const found = await keeper.find();
    const record = typeof found === 'object' ? found : undefined;
    if (environment.dryRun) return record ? withholdRevocations(environment, record) : notSignedIn;
    if (!record) {
      await keeper.store.delete(keeper.item);
      return { ...notSignedIn, unusable: typeof found === 'string' ? found : undefined };
    }
    const revocations = [];
    for (const { token, value } of tokensOf(record)) {
      revocations.push({ token, ...(await revoke(environment, record, value)) });
    }
    await keeper.store.delete(keeper.item);
    journal.clear();
    const verified = verify ? await tryFormerToken(environment, record) : undefined;
    return { signedIn: true, origin: record.origin, revocations, verified };
  });
}

const notSignedIn: SignOut = { signedIn: false, origin: undefined, revocations: [], verified: undefined };

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

/** @throws {DryRunStop} with the request of each token. */
async function withholdRevocations(environment: AuthEnvironment, record: SessionRecord): Promise<never> {
  const withheld: WithheldRequest[] = [];
  let stop: unknown;
  for (const { value } of tokensOf(record)) {
    stop = await revoke(environment, record, value).catch((error: unknown) => after(withheld, error));
    if (stop instanceof DryRunStop) withheld.push(stop.withheld);
  }
  throw stop;
}

/** One request with the token that was revoked: the revocation's own answer says nothing (specification, Revocation). */
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

async function revoke(
  environment: AuthEnvironment,
  record: SessionRecord,
  token: string,
): Promise<{ readonly answered: boolean; readonly problem: string | undefined }> {
  const baseUrl = originUrl(environment, record);
  try {
    const endpoint = await endpointOf(environment, {
      baseUrl,
      clientId: record.clientId,
      clientSecret: record.clientSecret,
    });
    await outwait(environment, () => revokeToken(endpoint, token));
    return { answered: true, problem: undefined };
  } catch (error) {
    if (environment.signal.aborted || error instanceof DryRunStop) throw error;
    const known = [ApiError, ConnectionError, RateLimitError, ReplyError].some(
      (kind) => error instanceof kind,
    );
    return { answered: false, problem: known ? messageOf(error) : 'the answer could not be read' };
  }
}
