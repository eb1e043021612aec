import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SignInRequiredError } from '../errors/service.ts';
import { holderText, resumeHint, type LockHolder } from '../platform/lock-holder.ts';
import { ownProcess } from '../platform/own-process.ts';
import type { LockFileError, LockTimeoutError } from '../platform/process-lock.ts';
import { CommandError, Exit } from '../errors/command.ts';
import type { AuthEnvironment } from './environment.ts';
import type { RenewalJournal } from './refresh-journal.ts';
import type { SessionFault } from '../runtime/auth.ts';
import { parseSession, type SessionRecord } from './session-record.ts';
import { UndecryptableItemError, type ReservedItem, type TokenStore } from './token-store.ts';

/** The following times are in milliseconds. */
export interface SessionLockWaits {
  /**
   * Wait for a renewal that requests depend on. It covers a process that was suspended for a minute
   * (docs/adr/0021-session-lock-waits.md).
   */
  readonly needed: number;
  /** Wait for an early renewal, while the old access token is still valid. */
  readonly ahead: number;
  /** Milliseconds until the user is notified of the wait. */
  readonly notify: number;
}

/** The default waits. */
export const defaultWaits: SessionLockWaits = { needed: 90_000, ahead: 1000, notify: 3000 };

/**
 * Returns the limits of a wait for the session lock. Ctrl-C ends a wait. A wait that begins after Ctrl-C is short: it is
 * for the requests with which a command ends, such as the deletion of a subscription.
 */
export function lockLimits(
  interruption: AbortSignal,
  waits: SessionLockWaits,
  isAhead: boolean,
): { readonly signal: AbortSignal | undefined; readonly waitMilliseconds: number } {
  if (interruption.aborted) return { signal: undefined, waitMilliseconds: waits.ahead };
  return { signal: interruption, waitMilliseconds: isAhead ? waits.ahead : waits.needed };
}

/** Options of a wait for the session lock. */
export interface SessionLockOptions<T> {
  /** Whether the lock is for an early renewal, which can be skipped. */
  readonly isAhead?: boolean;
  /** See `LockOptions`. */
  readonly doneMeanwhile?: () => Promise<T | undefined>;
}

/** Returns the error for a session whose lock another process does not release in time (`session_busy`, exit 12). */
export class SessionBusyError extends CommandError {
  constructor(cause?: LockTimeoutError) {
    super('session_busy', Exit.local, busyText(cause?.holder), {
      hint: resumeHint(cause?.holder) ?? 'if the other process is suspended, resume or stop it, then retry',
      retryable: true,
      cause,
    });
  }
}

/** The stored session of one profile. It is replaced and removed under a lock between processes. */
export class SessionRepository {
  readonly store: TokenStore;
  readonly item: string;
  readonly #environment: AuthEnvironment;
  readonly #lockFile: string;
  readonly #waits: SessionLockWaits;
  #warned = false;

  constructor(store: TokenStore, environment: AuthEnvironment, waits = defaultWaits) {
    const { settings, paths } = environment;
    const profile = settings.profile.value;
    this.store = store;
    // All config folders of a user share the keychain but not their locks, so the item of each config folder needs a separate name.
    this.item =
      store.kind === 'keychain' && !isDefaultFolder(environment) ? `${profile}@${paths.config}` : profile;
    this.#environment = environment;
    this.#waits = waits;
    this.#lockFile = join(paths.config, `auth-${profile}.lock.db`);
  }

  /**
   * Undefined if no session is stored.
   * @throws {SignInRequiredError} the stored session cannot be used.
   */
  async read(): Promise<SessionRecord | undefined> {
    const found = await this.find();
    if (typeof found === 'object' || found === undefined) return found;
    const what =
      found === 'damaged'
        ? 'is damaged'
        : 'was stored by a different version of ucctl, so this version cannot read it';
    throw new SignInRequiredError(
      'no-session',
      `the stored session of profile "${this.#environment.settings.profile.value}" ${what} (in ${this.store.place})`,
    );
  }

  /** Like `read`, but if the session cannot be used, returns the reason instead of throwing. */
  async find(): Promise<SessionRecord | SessionFault | undefined> {
    try {
      const text = await this.store.read(this.item);
      return text === undefined ? undefined : parseSession(text);
    } catch (error) {
      if (error instanceof UndecryptableItemError) return 'damaged';
      throw error;
    }
  }

  /** Returns the session; undefined if none is stored, or if it cannot be used, so that a sign-in replaces it. */
  async usable(): Promise<SessionRecord | undefined> {
    try {
      const found = await this.find();
      return typeof found === 'object' ? found : undefined;
    } catch (error) {
      if (error instanceof UndecryptableItemError) return undefined;
      throw error;
    }
  }

  /**
   * Returns the stored session of the service in use.
   * @throws {SignInRequiredError} there is no session, or it belongs to another service.
   */
  async require(): Promise<SessionRecord> {
    const { settings } = this.#environment;
    const profile = settings.profile.value;
    const record = await this.read();
    if (!record) throw new SignInRequiredError('no-session', `profile "${profile}" is not signed in`);
    const origin = settings.baseUrl.value === undefined ? undefined : new URL(settings.baseUrl.value).origin;
    if (origin !== undefined && origin !== record.origin) {
      throw new SignInRequiredError(
        'no-session',
        `profile "${profile}" is signed in to ${record.origin}, so ucctl does not send its token to ${origin}`,
      );
    }
    return record;
  }

  /** Stores a new session, or a renewed one. Returns false if another machine has replaced the session in the meantime. */
  async write(record: SessionRecord, space?: ReservedItem): Promise<boolean> {
    const text = JSON.stringify(record);
    await (space ? space.write(text) : this.store.write(this.item, text));
    return true;
  }

  /**
   * Reserves the space for a renewed session before the request that uses up the refresh token. Undefined if the store
   * cannot reserve space. @throws {CommandError} exit 12.
   */
  async reserve(record: SessionRecord): Promise<ReservedItem | undefined> {
    // The new tokens may be longer than the old ones.
    return this.store.reserve?.(this.item, 2 * Buffer.byteLength(JSON.stringify(record)));
  }

  /**
   * Returns the reason if the service rejected the renewal of this session. Undefined while another process renews the
   * session.
   */
  async rejection({ refreshToken }: SessionRecord): Promise<string | undefined> {
    if (refreshToken === undefined || !existsSync(this.#lockFile)) return undefined;
    const [{ closeLock }, { tryLock }, { RefreshJournal: Journal }] = await Promise.all([
      import('../platform/sqlite/lock.ts'),
      import('../platform/process-lock.ts'),
      import('./refresh-journal.ts'),
    ]);
    const db = tryLock(this.#lockFile);
    if (!db) return undefined;
    try {
      return new Journal(db).rejection(refreshToken);
    } finally {
      closeLock(db);
    }
  }

  /** Checks that a session can be stored and renewed, before the user signs in. @throws {CommandError} exit 12. */
  async preflight(): Promise<void> {
    await this.store.preflight();
    await this.locked(async (journal) => journal.prove());
  }

  /**
   * Runs `work` under the lock of the session.
   * @throws {CommandError} exit 12: `session_busy` if another process has the lock for too long, `session_lock_failed`
   * if the lock cannot be used.
   */
  async locked<T>(
    work: (journal: RenewalJournal) => Promise<T>,
    { isAhead = false, doneMeanwhile }: SessionLockOptions<T> = {},
  ): Promise<T> {
    await this.#warnOfNetwork();
    // The lock module is loaded on demand, because most runs need no lock.
    const [{ LockTimeoutError: LockTimeout, lockFileErrorOf, withProcessLock }, { RefreshJournal: Journal }] =
      await Promise.all([import('../platform/process-lock.ts'), import('./refresh-journal.ts')]);
    const options = {
      ...lockLimits(this.#environment.signal, this.#waits, isAhead),
      reportAfterMilliseconds: this.#waits.notify,
      onWait: (holder?: LockHolder) =>
        this.#environment.note?.(`Waiting: ${busyText(holder)}${resumeText(holder)}`),
      doneMeanwhile,
    };
    try {
      return await withProcessLock(this.#lockFile, options, (db) => work(new Journal(db)));
    } catch (error) {
      const lockError = lockFileErrorOf(error, this.#lockFile);
      if (lockError) throw unusable(lockError);
      if (!(error instanceof LockTimeout)) throw error;
      throw new SessionBusyError(error);
    }
  }

  /**
   * Warns once if the config folder is on a network, where locks may not work. The check runs only before a
   * lock is acquired.
   */
  async #warnOfNetwork(): Promise<void> {
    if (this.#warned) return;
    this.#warned = true;
    const { networkFolderWarning } = await import('../platform/network-folder.ts');
    const warning = await networkFolderWarning(this.#environment.paths.config);
    if (warning !== undefined) this.#environment.note?.(warning);
  }
}

/** Whether the config folder is the default one of this user. */
function isDefaultFolder({ env, platform, paths }: AuthEnvironment): boolean {
  if (env['UCCTL_CONFIG_DIR']) return false;
  const home = ownProcess.homeFolder();
  // On systems other than Linux, only UCCTL_CONFIG_DIR changes the config folder.
  return platform !== 'linux' || home === undefined || paths.config === join(home, '.config', 'ucctl');
}

function unusable(error: LockFileError): CommandError {
  const { message, hint } = error;
  return new CommandError('session_lock_failed', Exit.local, message, { hint, cause: error });
}

function busyText(holder: LockHolder | undefined): string {
  return `another ucctl command${holderText(holder)} is renewing this session`;
}

function resumeText(holder: LockHolder | undefined): string {
  const hint = resumeHint(holder);
  return hint === undefined ? '' : `; ${hint}`;
}
