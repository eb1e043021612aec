import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SignInRequiredError } from '../errors/service.ts';
import { ownProcess } from '../platform/own-process.ts';
import type { LockFileError, LockHolder } from '../platform/process-lock.ts';
import { CommandError, Exit } from '../errors/command.ts';
import type { AuthEnvironment } from './environment.ts';
import type { RefreshJournal } from './refresh-journal.ts';
import type { SessionFault } from '../runtime/auth.ts';
import { parseSession, type SessionRecord } from './session-record.ts';
import type { TokenStore } from './token-store.ts';

/** Milliseconds. */
export interface SessionLockWaits {
  /**
   * Without a session there is no work: long enough for a process that was suspended for a minute (docs/adr/0021-session-lock-waits.md).
   */
  readonly needed: number;
  /** For a renewal ahead of time, while the old access token lives. */
  readonly ahead: number;
  /** Until those who wait are told why. */
  readonly tell: number;
}

const usualWaits: SessionLockWaits = { needed: 90_000, ahead: 1000, tell: 3000 };

/** How the lock is waited for. */
export interface SessionLockOptions<T> {
  /** A renewal ahead of time, which can be left out. */
  readonly isAhead?: boolean;
  /** See `LockOptions`. */
  readonly doneMeanwhile?: () => Promise<T | undefined>;
}

/** The stored session of one profile: read, replaced and removed, the last two under a lock between processes. */
export class SessionKeeper {
  readonly store: TokenStore;
  readonly item: string;
  readonly #environment: AuthEnvironment;
  readonly #lockFile: string;
  readonly #waits: SessionLockWaits;
  #warned = false;

  constructor(store: TokenStore, environment: AuthEnvironment, waits = usualWaits) {
    const { settings, paths } = environment;
    const profile = settings.profile.value;
    this.store = store;
    // The keychain is one for the user: profiles of another config folder, which has locks of its own, must not meet there.
    this.item =
      store.kind === 'keychain' && !isCustomary(environment) ? `${profile}@${paths.config}` : profile;
    this.#environment = environment;
    this.#waits = waits;
    this.#lockFile = join(paths.config, `auth-${profile}.lock.db`);
  }

  /**
   * Undefined when there is none.
   * @throws {SignInRequiredError} what is there cannot be used.
   */
  async read(): Promise<SessionRecord | undefined> {
    const found = await this.find();
    if (typeof found === 'object' || found === undefined) return found;
    const what =
      found === 'damaged'
        ? 'is damaged'
        : 'was written by another version of ucctl, which this one cannot read';
    throw new SignInRequiredError(
      'no-session',
      `the stored session of profile "${this.#environment.settings.profile.value}" ${what} (in ${this.store.place})`,
    );
  }

  /** As `read`; what is there and cannot be used is told instead. */
  async find(): Promise<SessionRecord | SessionFault | undefined> {
    const text = await this.store.read(this.item);
    return text === undefined ? undefined : parseSession(text);
  }

  /**
   * The session, which must be there and belong to the service that is being called.
   * @throws {SignInRequiredError}
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
        `profile "${profile}" is signed in to ${record.origin}; its token is not sent to ${origin}`,
      );
    }
    return record;
  }

  async write(record: SessionRecord): Promise<void> {
    await this.store.write(this.item, JSON.stringify(record));
  }

  /** Why the service took the renewal of this session for refused, if it did; undefined also while another process renews it. */
  async refusal({ refreshToken }: SessionRecord): Promise<string | undefined> {
    if (refreshToken === undefined || !existsSync(this.#lockFile)) return undefined;
    const [{ closeLock }, { tryLock }, { RefreshJournal: Journal }] = await Promise.all([
      import('../platform/sqlite.ts'),
      import('../platform/process-lock.ts'),
      import('./refresh-journal.ts'),
    ]);
    const db = tryLock(this.#lockFile);
    if (!db) return undefined;
    try {
      return new Journal(db).refusal(refreshToken);
    } finally {
      closeLock(db);
    }
  }

  /** Proves that a session can be kept and renewed, before anyone signs in. @throws {CommandError} exit 12. */
  async preflight(): Promise<void> {
    await this.store.preflight();
    await this.locked((journal) => Promise.resolve(journal.prove()));
  }

  /** @throws {CommandError} exit 12: `session_busy` when another process has it for too long, `session_lock_failed` when there can be no lock. */
  async locked<T>(
    work: (journal: RefreshJournal) => Promise<T>,
    { isAhead = false, doneMeanwhile }: SessionLockOptions<T> = {},
  ): Promise<T> {
    await this.#warnOfNetwork();
    // Loaded here: a session that need not be renewed opens no lock.
    const [{ LockTimeoutError, lockFileErrorOf, withProcessLock }, { RefreshJournal: Journal }] =
      await Promise.all([import('../platform/process-lock.ts'), import('./refresh-journal.ts')]);
    const options = {
      signal: this.#environment.signal,
      waitMilliseconds: isAhead ? this.#waits.ahead : this.#waits.needed,
      tellMilliseconds: this.#waits.tell,
      onWait: (holder?: LockHolder) =>
        this.#environment.note?.(`Waiting: ${whoRenews(holder)}${howToGoOn(holder)}`),
      doneMeanwhile,
    };
    try {
      return await withProcessLock(this.#lockFile, options, (db) => work(new Journal(db)));
    } catch (error) {
      const spoilt = lockFileErrorOf(error, this.#lockFile);
      if (spoilt) throw unusable(spoilt);
      if (!(error instanceof LockTimeoutError)) throw error;
      throw new CommandError('session_busy', Exit.local, whoRenews(error.holder), {
        hint: 'if that process is suspended, resume or end it, then run this again',
        retryable: true,
        cause: error,
      });
    }
  }

  /** Asked only when the lock is taken, which is rare. */
  async #warnOfNetwork(): Promise<void> {
    if (this.#warned) return;
    this.#warned = true;
    const { networkFolderWarning } = await import('../platform/network-folder.ts');
    const warning = await networkFolderWarning(this.#environment.paths.config);
    if (warning !== undefined) this.#environment.note?.(warning);
  }
}

/** Whether the config folder is where this user's programs usually have theirs. */
function isCustomary({ env, platform, paths }: AuthEnvironment): boolean {
  if (env['UCCTL_CONFIG_DIR']) return false;
  const home = ownProcess.homeFolder();
  // Elsewhere nothing but that variable moves it.
  return platform !== 'linux' || home === undefined || paths.config === join(home, '.config', 'ucctl');
}

function unusable(error: LockFileError): CommandError {
  const { message, hint } = error;
  return new CommandError('session_lock_failed', Exit.local, message, { hint, cause: error });
}

function whoRenews(holder: LockHolder | undefined): string {
  const who = holder ? ` (pid ${holder.pid}, since ${holder.since})` : '';
  return `another ucctl${who} is renewing this session`;
}

function howToGoOn(holder: LockHolder | undefined): string {
  if (!holder || !ownProcess.isSuspended(holder.pid)) return '';
  return `; it is suspended, and goes on by: kill -CONT ${holder.pid}`;
}
