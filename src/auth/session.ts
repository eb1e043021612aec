import { ApiError, ConnectionError, SignInRequiredError, type AccessTokenSource } from '../client/index.ts';
import { parseBaseUrl } from '../platform/base-url.ts';
import type { AuthEnvironment } from './environment.ts';
import type { RefreshJournal } from './refresh-journal.ts';
import type { SessionKeeper } from './session-keeper.ts';
import { readTokenReply, type SessionRecord } from './session-record.ts';

/** A token this close to its end is renewed before it is used. */
const RENEW_AHEAD_MILLISECONDS = 60_000;
const REFRESH_TIMEOUT_MILLISECONDS = 20_000;

/**
 * Access tokens of the stored session. One renewal at a time in this process, one at a time over all processes, and whoever comes
 * second takes what the first stored: a refresh token is single use. A failed renewal deletes nothing.
 */
export class Session implements AccessTokenSource {
  readonly #environment: AuthEnvironment;
  readonly #keeper: SessionKeeper;
  #known: SessionRecord | undefined;
  #renewal: Promise<SessionRecord> | undefined;

  constructor(environment: AuthEnvironment, keeper: SessionKeeper) {
    this.#environment = environment;
    this.#keeper = keeper;
  }

  async current(): Promise<string> {
    this.#known ??= await this.#keeper.require();
    const record = this.#known;
    if (this.#lives(record, RENEW_AHEAD_MILLISECONDS)) return record.accessToken;
    try {
      return (await this.#renewOnce(record)).accessToken;
    } catch (error) {
      // Renewing ahead of time is a courtesy: while the old token lives, trouble on the way does not stop the work.
      if (this.#lives(record, 0) && isPassing(error)) return record.accessToken;
      throw error;
    }
  }

  async renew(refused: string): Promise<string> {
    const stored = await this.#keeper.require();
    this.#known = stored;
    // Another process may have renewed it: then that token is the one to use.
    if (stored.accessToken !== refused && this.#lives(stored, 0)) return stored.accessToken;
    return (await this.#renewOnce(stored)).accessToken;
  }

  #lives(record: SessionRecord, ahead: number): boolean {
    return this.#environment.now() < record.expiresAt - ahead;
  }

  #renewOnce(stale: SessionRecord): Promise<SessionRecord> {
    this.#renewal ??= this.#renewLocked(stale).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renewLocked(stale: SessionRecord): Promise<SessionRecord> {
    if (stale.refreshToken === undefined) throw ended(stale, 'it cannot be renewed');
    const renewed = await this.#keeper.locked(async (journal) => {
      const stored = await this.#keeper.require();
      if (stored.accessToken !== stale.accessToken && this.#lives(stored, 0)) return stored;
      return this.#exchange(stored, journal);
    });
    this.#known = renewed;
    return renewed;
  }

  async #exchange(record: SessionRecord, journal: RefreshJournal): Promise<SessionRecord> {
    const { refreshToken } = record;
    if (refreshToken === undefined) throw ended(record, 'it cannot be renewed');
    const known = journal.refusal(refreshToken);
    if (known !== undefined) throw new SignInRequiredError('expired', known);
    const interrupted = journal.unfinished(refreshToken);
    journal.begin(refreshToken, new Date(this.#environment.now()).toISOString(), process.pid);
    const reply = await this.#request(record, refreshToken).catch((error: unknown) => {
      if (isSurelyUnused(error)) journal.end(refreshToken);
      if (!isRefusal(error)) throw error;
      // Another status judges the application, not this token: the token stays worth a try.
      if (error.status !== 400 && error.code !== 'invalid_grant')
        throw new SignInRequiredError('refused', error.message, error);
      const reason = interrupted
        ? `the session was lost while it was being renewed at ${interrupted.startedAt} (process ${interrupted.pid} ended)`
        : `the session has ended: ${error.message}`;
      journal.refuse(refreshToken, reason);
      throw new SignInRequiredError('expired', reason, error);
    });
    const renewed: SessionRecord = {
      ...record,
      ...readTokenReply(reply, this.#environment.now()),
      generation: record.generation + 1,
    };
    await this.#keeper.write(renewed);
    journal.end(refreshToken);
    return renewed;
  }

  async #request(record: SessionRecord, refreshToken: string) {
    const { requestToken } = await import('./token-endpoint.ts');
    const { baseUrl } = this.#environment.settings;
    // No signal: a renewal that is under way is finished, or its single-use token would be lost.
    return requestToken(
      {
        baseUrl: parseBaseUrl(baseUrl.value ?? record.origin),
        clientId: record.clientId,
        clientSecret: record.clientSecret,
        http: await this.#environment.http(),
        timeoutMilliseconds: REFRESH_TIMEOUT_MILLISECONDS,
      },
      { type: 'refresh_token', refreshToken },
    );
  }
}

function ended(record: SessionRecord, why: string): SignInRequiredError {
  const at = new Date(record.expiresAt).toISOString();
  return new SignInRequiredError('expired', `the session ended at ${at} and ${why}`);
}

/** The service has judged the refresh token (or the application's secret) and will not change its mind. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 400 || error.status === 401 || error.status === 403);
}

function isSurelyUnused(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.reached === 'no';
  return error instanceof ApiError && error.status < 500;
}

function isPassing(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && !isRefusal(error));
}
