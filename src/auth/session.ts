import type { AccessTokenSource } from '../client/index.ts';
import type { TokenReply } from '../contract/oauth.ts';
import { type CommandText, nextStep } from '../errors/hint.ts';
import { SignInRequiredError } from '../errors/service.ts';
import type { AuthEnvironment } from './environment.ts';
import type { RefreshIntent, RenewalJournal } from './refresh-journal.ts';
import {
  gaveUp,
  isAboutApplication,
  isLocal,
  isPassing,
  isRejection,
  isSurelyUnused,
} from './renewal-errors.ts';
import type { RenewalRequests } from './renewal-request.ts';
import { isDue, justRenewed, lives, triedJustNow } from './renewal-time.ts';
import {
  causes,
  ended,
  notStored,
  rejectedAfterRenewal,
  rejectedForApp,
  renewalForbidden,
  replaced,
  signInCommand,
} from './session-end.ts';
import type { SessionRepository } from './session-repository.ts';
import { isSameOwner, readTokenReply, type SessionRecord } from './session-record.ts';
import { ownProcess } from '../platform/own-process.ts';

/** Milliseconds before the end of a session that cannot be renewed, at which the user is notified. */
const warnAheadMilliseconds = 600_000;

/**
 * Access tokens of the stored session. A refresh token is single use, so only one process at a time renews the session.
 * A process that waited for the renewal of another process uses the stored result. A failed renewal deletes nothing.
 */
export class Session implements AccessTokenSource {
  readonly #environment: AuthEnvironment;
  readonly #repository: SessionRepository;
  #known: SessionRecord | undefined;
  #renewal: { readonly isAhead: boolean; readonly record: Promise<SessionRecord> } | undefined;
  #requests: RenewalRequests | undefined;
  /** The access token that the service rejected although it had not expired. */
  #rejected: string | undefined;
  /**
   * A renewed session that could not be stored, and the refresh token that it replaces. The next renewal stores it,
   * because the service accepts that refresh token only once.
   */
  #unstored: { readonly from: string; readonly renewed: SessionRecord } | undefined;
  #warned = false;
  #triedAheadAt: number | undefined;

  constructor(environment: AuthEnvironment, repository: SessionRepository) {
    this.#environment = environment;
    this.#repository = repository;
  }

  async current(): Promise<string> {
    this.#known ??= await this.#repository.require();
    const record = this.#known;
    const now = this.#environment.now();
    if (record.refreshToken === undefined) return this.#unrenewable(record, now);
    if (!isDue(record, now, ownProcess.pid)) return record.accessToken;
    if (!lives(record, now)) return (await this.#renewOnce(record)).accessToken;
    if (!this.#mayTryAhead(now)) return record.accessToken;
    try {
      return (await this.#renewOnce(record, true)).accessToken;
    } catch (error) {
      // Tokens that could not be stored are reported, because the stored session is lost without them.
      if (!isPassing(error) && (!isLocal(error) || this.#unstored)) throw error;
      // A failed early renewal does not stop the work while the old token is valid.
      if (this.#lives(record)) return record.accessToken;
      if (gaveUp(error)) return (await this.#renewOnce(record)).accessToken;
      throw error;
    }
  }

  /** Limits early renewals, so that not every request waits for another attempt after a failure. */
  #mayTryAhead(now: number): boolean {
    if (triedJustNow(this.#triedAheadAt, now)) return false;
    this.#triedAheadAt = now;
    return true;
  }

  /** `extension ID`, or the time of the sign-in if the service did not report the extension. */
  async owner(): Promise<string> {
    this.#known ??= await this.#repository.require();
    const { ownerId, signedInAt } = this.#known;
    return ownerId === undefined ? `sign-in ${signedInAt}` : `extension ${ownerId}`;
  }

  /**
   * Returns the name of the rate limits that the session's requests share. @throws {SignInRequiredError} there is no
   * session.
   */
  async budgetOwner(): Promise<string> {
    this.#known ??= await this.#repository.require();
    const { budgetOwnerOf } = await import('./budget-owner.ts');
    return budgetOwnerOf(this.#known);
  }

  /** @throws {SignInRequiredError} there is no session. */
  async signInCommand(): Promise<CommandText> {
    this.#known ??= await this.#repository.require();
    return signInCommand(this.#known);
  }

  async renew(rejected: string, _signal?: AbortSignal, code?: string): Promise<string> {
    const stored = await this.#requireOwn(this.#known);
    this.#known = stored;
    // If another process has renewed the session in the meantime, this process uses the new token.
    if (stored.accessToken !== rejected && this.#lives(stored)) return stored.accessToken;
    const now = this.#environment.now();
    if (stored.appSession !== undefined && this.#lives(stored)) throw rejectedForApp(stored);
    if (stored.accessToken === rejected && justRenewed(stored, now)) throw rejectedAfterRenewal(stored, code);
    this.#rejected = rejected;
    return (await this.#renewOnce(stored)).accessToken;
  }

  /**
   * Returns the stored session. @throws {SignInRequiredError} it may belong to another user than the session that this
   * process has used, for example because the user signed in as somebody else in the same profile.
   */
  async #requireOwn(known: SessionRecord | undefined): Promise<SessionRecord> {
    const stored = await this.#repository.require();
    if (!known || isSameOwner(known, stored)) return stored;
    throw replaced(known, stored, 'to this profile, possibly as another user');
  }

  #lives(record: SessionRecord): boolean {
    return lives(record, this.#environment.now());
  }

  /**
   * Returns the token of a session that cannot be renewed, or after its end the token of a newer sign-in of the same
   * user. Notifies the user once, shortly before the session expires.
   */
  async #unrenewable(record: SessionRecord, now: number): Promise<string> {
    if (!lives(record, now)) {
      const stored = await this.#requireOwn(record);
      if (!this.#isNewer(stored, record)) throw ended(record);
      this.#known = stored;
      this.#warned = false;
      return this.current();
    }
    if (!this.#warned && !lives(record, now, warnAheadMilliseconds)) {
      this.#warned = true;
      const minutes = Math.max(1, Math.ceil((record.expiresAt - now) / 60_000));
      this.#environment.note?.(
        nextStep`This session ends in ${minutes} min and cannot be renewed. To sign in again: ${signInCommand(record)}`,
      );
    }
    return record.accessToken;
  }

  /** Whether another process has renewed the session or signed in again, so that the stored session is used. */
  #isNewer(stored: SessionRecord, stale: SessionRecord): boolean {
    return stored.accessToken !== stale.accessToken && this.#lives(stored);
  }

  /** Renews the session. `isAhead` means that the old access token is still valid. */
  #renewOnce(stale: SessionRecord, isAhead = false): Promise<SessionRecord> {
    const running = this.#renewal;
    if (running) return running.isAhead && !isAhead ? this.#after(running.record, stale) : running.record;
    const record = this.#renewLocked(stale, isAhead).finally(() => {
      this.#renewal = undefined;
    });
    this.#renewal = { isAhead, record };
    return record;
  }

  /**
   * Waits for an early renewal that is already running. An early renewal has a short timeout; after a timeout, this
   * function renews the session again.
   */
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
      const stored = await this.#requireOwn(stale);
      return this.#isNewer(stored, stale) ? stored : undefined;
    };
    const renewed = await this.#repository.locked(
      async (journal) => {
        const stored = await this.#requireOwn(stale);
        return this.#isNewer(stored, stale) ? stored : this.#exchange(stored, journal);
      },
      { isAhead, doneMeanwhile },
    );
    this.#known = renewed;
    return renewed;
  }

  async #exchange(record: SessionRecord, journal: RenewalJournal): Promise<SessionRecord> {
    const { refreshToken } = record;
    if (refreshToken === undefined) throw ended(record);
    const earlier = this.#unstored?.from === refreshToken ? this.#unstored.renewed : undefined;
    const space = await this.#repository.reserve(record);
    try {
      const renewed = earlier ?? (await this.#requestRenewal(record, refreshToken, journal));
      const elsewhere = await this.#replacedBy(record);
      if (elsewhere) return elsewhere;
      this.#unstored = { from: refreshToken, renewed };
      const isStored = await this.#repository.write(renewed, space).catch((error: unknown) => {
        throw notStored(record, error);
      });
      this.#unstored = undefined;
      if (!isStored) return (await this.#replacedBy(record)) ?? renewed;
      await journal.end(refreshToken);
      return earlier && !this.#lives(earlier) ? await this.#exchange(earlier, journal) : renewed;
    } finally {
      await space?.release();
    }
  }

  async #requestRenewal(
    record: SessionRecord,
    refreshToken: string,
    journal: RenewalJournal,
  ): Promise<SessionRecord> {
    const rejection = await journal.rejection(refreshToken);
    if (rejection !== undefined)
      throw new SignInRequiredError('expired', rejection, undefined, signInCommand(record));
    const interrupted = await journal.unfinished(refreshToken);
    let reply: TokenReply;
    try {
      reply = await this.#request(record, refreshToken, journal, interrupted);
    } catch (error) {
      if (!isRejection(error)) throw error;
      // The error concerns the application and not this token, so a later renewal may succeed.
      if (isAboutApplication(error)) throw renewalForbidden(record, error);
      const elsewhere = await this.#replacedBy(record);
      if (elsewhere) return elsewhere;
      const reason = interrupted
        ? `the session was lost during a renewal at ${interrupted.startedAt}, because ${processText(interrupted)} ended before it stored the new tokens`
        : `the session has ended (${error.message}). Possible reasons: the session expired, ${causes}`;
      await journal.reject(refreshToken, reason);
      throw new SignInRequiredError('expired', reason, error, signInCommand(record));
    }
    const receivedAt = this.#environment.now();
    return {
      ...record,
      ...readTokenReply(reply, receivedAt),
      renewedAt: receivedAt,
      generation: record.generation + 1,
    };
  }

  /**
   * Checks that no other process signed out or in during the renewal, which is possible where file locks do not work (a
   * home folder on a network), or if this machine lost its connection to a shared store. The session of the other
   * process is not overwritten. If the store cannot be read, the following write reports the error.
   * @returns the session if another process renewed the same sign-in; undefined if the session is unchanged.
   */
  async #replacedBy(record: SessionRecord): Promise<SessionRecord | undefined> {
    const { generation, accessToken } = record;
    const stored = await this.#repository.read().catch(() => record);
    if (stored?.generation === generation && stored.accessToken === accessToken) return undefined;
    const isSameSignIn = stored?.signedInAt === record.signedInAt;
    if (isSameSignIn && stored.generation > generation && this.#isNewer(stored, record)) return stored;
    throw replaced(record, stored, 'while this process was renewing the session');
  }

  async #request(
    record: SessionRecord,
    refreshToken: string,
    journal: RenewalJournal,
    interrupted: RefreshIntent | undefined,
  ): Promise<TokenReply> {
    const { RenewalRequests: Requests } = await import('./renewal-request.ts');
    this.#requests ??= new Requests(this.#environment, record);
    return this.#requests.send(record, refreshToken, {
      begin: () =>
        journal.begin(refreshToken, new Date(this.#environment.now()).toISOString(), ownProcess.pid),
      fail: async (error) => {
        if (isSurelyUnused(error)) await journal.unused(refreshToken, interrupted);
      },
      isUrgent: () => !this.#lives(record) || record.accessToken === this.#rejected,
    });
  }
}

function processText({ pid, machine }: RefreshIntent): string {
  return machine === undefined ? `process ${pid}` : `process ${pid} on ${machine}`;
}

/** The access token was rejected before it expired, and there is no refresh token. */
function revoked(record: SessionRecord): SignInRequiredError {
  return new SignInRequiredError(
    'rejected',
    `the service rejected the access token, and the session has no refresh token: ${causes}`,
    undefined,
    signInCommand(record),
  );
}
