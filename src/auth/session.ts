import type { AccessTokenSource } from '../client/index.ts';
import type { TokenReply } from '../contract/oauth.ts';
import { CommandError } from '../errors/command.ts';
import { type CommandText, nextStep } from '../errors/hint.ts';
import { ApiError, ConnectionError, RateLimitError, SignInRequiredError } from '../errors/service.ts';
import type { AuthEnvironment } from './environment.ts';
import type { RefreshIntent, RefreshJournal } from './refresh-journal.ts';
import type { RenewalRequests } from './renewal-request.ts';
import { isDue, justRenewed, lives, triedJustNow } from './renewal-time.ts';
import {
  causes,
  ended,
  refusedAtOnce,
  refusedToApp,
  renewalForbidden,
  signInCommand,
} from './session-end.ts';
import type { SessionKeeper } from './session-keeper.ts';
import { readTokenReply, type SessionRecord } from './session-record.ts';
import { ownProcess } from '../platform/own-process.ts';

/** A session that cannot be renewed is announced to end from this long before. */
const warnAheadMilliseconds = 600_000;

/**
 * Access tokens of the stored session. One renewal at a time in this process, one at a time over all processes, and whoever comes
 * second takes what the first stored: a refresh token is single use. A failed renewal deletes nothing.
 */
export class Session implements AccessTokenSource {
  readonly #environment: AuthEnvironment;
  readonly #keeper: SessionKeeper;
  #known: SessionRecord | undefined;
  #renewal: { readonly isAhead: boolean; readonly record: Promise<SessionRecord> } | undefined;
  #requests: RenewalRequests | undefined;
  /** The access token that the service no longer takes, whatever its time. */
  #refused: string | undefined;
  #warned = false;
  #triedAheadAt: number | undefined;

  constructor(environment: AuthEnvironment, keeper: SessionKeeper) {
    this.#environment = environment;
    this.#keeper = keeper;
  }

  async current(): Promise<string> {
    this.#known ??= await this.#keeper.require();
    const record = this.#known;
    const now = this.#environment.now();
    if (record.refreshToken === undefined) return this.#unrenewable(record, now);
    if (!isDue(record, now, ownProcess.pid)) return record.accessToken;
    if (!lives(record, now)) return (await this.#renewOnce(record)).accessToken;
    if (!this.#mayTryAhead(now)) return record.accessToken;
    try {
      return (await this.#renewOnce(record, true)).accessToken;
    } catch (error) {
      if (!isPassing(error)) throw error;
      // Renewing ahead of time is a courtesy: while the old token lives, trouble on the way does not stop the work.
      if (this.#lives(record)) return record.accessToken;
      if (gaveUp(error)) return (await this.#renewOnce(record)).accessToken;
      throw error;
    }
  }

  /** After a try that came to nothing, the next requests are not held up by one more each. */
  #mayTryAhead(now: number): boolean {
    if (triedJustNow(this.#triedAheadAt, now)) return false;
    this.#triedAheadAt = now;
    return true;
  }

  /** `extension ID`, or the moment of the sign-in where the service did not say whose the session is. */
  async owner(): Promise<string> {
    this.#known ??= await this.#keeper.require();
    const { ownerId, signedInAt } = this.#known;
    return ownerId === undefined ? `sign-in ${signedInAt}` : `extension ${ownerId}`;
  }

  /** Whose rate limits its requests use up. @throws {SignInRequiredError} there is no session. */
  async budgetOwner(): Promise<string> {
    this.#known ??= await this.#keeper.require();
    const { budgetOwnerOf } = await import('./budget-owner.ts');
    return budgetOwnerOf(this.#known);
  }

  /** @throws {SignInRequiredError} there is no session. */
  async signInCommand(): Promise<CommandText> {
    this.#known ??= await this.#keeper.require();
    return signInCommand(this.#known);
  }

  async renew(refused: string): Promise<string> {
    const stored = await this.#keeper.require();
    this.#known = stored;
    // Another process may have renewed it: then that token is the one to use.
    if (stored.accessToken !== refused && this.#lives(stored)) return stored.accessToken;
    const now = this.#environment.now();
    if (stored.appSession !== undefined && this.#lives(stored)) throw refusedToApp(stored);
    if (stored.accessToken === refused && justRenewed(stored, now)) throw refusedAtOnce(stored);
    this.#refused = refused;
    return (await this.#renewOnce(stored)).accessToken;
  }

  #lives(record: SessionRecord): boolean {
    return lives(record, this.#environment.now());
  }

  /** A session without refresh token works until its access token ends; that is said in time, once. */
  #unrenewable(record: SessionRecord, now: number): string {
    if (!lives(record, now)) throw ended(record);
    if (!this.#warned && !lives(record, now, warnAheadMilliseconds)) {
      this.#warned = true;
      const minutes = Math.max(1, Math.ceil((record.expiresAt - now) / 60_000));
      this.#environment.note?.(
        nextStep`This session ends in ${minutes} min and cannot be renewed; then: ${signInCommand(record)}`,
      );
    }
    return record.accessToken;
  }

  /** Another process has renewed it: then what that one stored is the one to use. */
  #isNewer(stored: SessionRecord, stale: SessionRecord): boolean {
    return stored.accessToken !== stale.accessToken && this.#lives(stored);
  }

  /** `isAhead`: the old access token lives. */
  #renewOnce(stale: SessionRecord, isAhead = false): Promise<SessionRecord> {
    const running = this.#renewal;
    if (running) return running.isAhead && !isAhead ? this.#after(running.record, stale) : running.record;
    const record = this.#renewLocked(stale, isAhead).finally(() => {
      this.#renewal = undefined;
    });
    this.#renewal = { isAhead, record };
    return record;
  }

  /** A renewal ahead of time gives up soon; who cannot go on without one waits on. */
  async #after(ahead: Promise<SessionRecord>, stale: SessionRecord): Promise<SessionRecord> {
    try {
      return await ahead;
    } catch (error) {
      if (!gaveUp(error)) throw error;
      return this.#renewOnce(stale);
    }
  }

  async #renewLocked(stale: SessionRecord, isAhead: boolean): Promise<SessionRecord> {
    if (stale.refreshToken === undefined) {
      throw lives(stale, this.#environment.now()) ? revoked(stale) : ended(stale);
    }
    const doneMeanwhile = async (): Promise<SessionRecord | undefined> => {
      const stored = await this.#keeper.require();
      return this.#isNewer(stored, stale) ? stored : undefined;
    };
    const renewed = await this.#keeper.locked(
      async (journal) => {
        const stored = await this.#keeper.require();
        return this.#isNewer(stored, stale) ? stored : this.#exchange(stored, journal);
      },
      { isAhead, doneMeanwhile },
    );
    this.#known = renewed;
    return renewed;
  }

  async #exchange(record: SessionRecord, journal: RefreshJournal): Promise<SessionRecord> {
    const { refreshToken } = record;
    if (refreshToken === undefined) throw ended(record);
    const hint = signInCommand(record);
    const known = journal.refusal(refreshToken);
    if (known !== undefined) throw new SignInRequiredError('expired', known, undefined, hint);
    const interrupted = journal.unfinished(refreshToken);
    const reply = await this.#request(record, refreshToken, journal, interrupted).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      // Another status judges the application, not this token: the token stays worth a try.
      if (isAboutApplication(error)) throw renewalForbidden(record, error);
      const reason = interrupted
        ? `the session was lost while it was being renewed at ${interrupted.startedAt} (process ${interrupted.pid} ended)`
        : `the session has ended: ${error.message}. It ran out, or ${causes}`;
      journal.refuse(refreshToken, reason);
      throw new SignInRequiredError('expired', reason, error, hint);
    });
    const receivedAt = this.#environment.now();
    await this.#refuseResurrection(record);
    const renewed: SessionRecord = {
      ...record,
      ...readTokenReply(reply, receivedAt),
      renewedAt: receivedAt,
      generation: record.generation + 1,
    };
    await this.#keeper.write(renewed);
    journal.end(refreshToken);
    return renewed;
  }

  /**
   * Where the lock does not hold (a home on a network), somebody may have signed out or in meanwhile: what they stored is not overwritten. A
   * store that cannot be read now decides nothing; writing it will tell.
   */
  async #refuseResurrection(record: SessionRecord): Promise<void> {
    const { generation, accessToken } = record;
    const stored = await this.#keeper.read().catch(() => ({ generation, accessToken }));
    if (stored?.generation === generation && stored.accessToken === accessToken) return;
    const what = stored ? 'replaced the session' : 'ended the session by ucctl logout';
    const hint = stored ? 'run it again: it will use the new session' : signInCommand(record);
    const text = `another process ${what} while this one renewed it`;
    throw new SignInRequiredError('no-session', text, undefined, hint);
  }

  async #request(
    record: SessionRecord,
    refreshToken: string,
    journal: RefreshJournal,
    interrupted: RefreshIntent | undefined,
  ): Promise<TokenReply> {
    const { RenewalRequests: Requests } = await import('./renewal-request.ts');
    this.#requests ??= new Requests(this.#environment, record);
    return this.#requests.send(record, refreshToken, {
      begin: () =>
        journal.begin(refreshToken, new Date(this.#environment.now()).toISOString(), ownProcess.pid),
      fail: (error) => {
        if (isSurelyUnused(error)) journal.unused(refreshToken, interrupted);
      },
      isUrgent: () => !this.#lives(record) || record.accessToken === this.#refused,
    });
  }
}

/** Refused although it has not run out, and nothing to renew it with. */
function revoked(record: SessionRecord): SignInRequiredError {
  return new SignInRequiredError(
    'refused',
    `the service refuses the access token, and there is no refresh token: ${causes}`,
    undefined,
    signInCommand(record),
  );
}

/** Judges the application, not this refresh token, which stays worth a try. */
function isAboutApplication(error: ApiError): boolean {
  if (error.code === 'invalid_grant') return false;
  return (
    error.status !== 400 || /^(unauthorized_client|unsupported_grant_type|invalid_client)$/.test(error.code)
  );
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
  if (gaveUp(error) || error instanceof ConnectionError) return true;
  return error instanceof ApiError && !isRefusal(error);
}

/** A try ahead of time ends where it would have to wait. */
function gaveUp(error: unknown): boolean {
  return error instanceof RateLimitError || (error instanceof CommandError && error.code === 'session_busy');
}
