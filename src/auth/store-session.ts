import { hostname } from 'node:os';
import { CommandError, Exit, usageError } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import { ownProcess } from '../platform/own-process.ts';
import { storeWithoutPassword } from '../platform/store-address.ts';
import type { SessionFault } from '../runtime/auth.ts';
import type { SessionTable } from '../store/index.ts';
import type { AuthEnvironment } from './environment.ts';
import type { RenewalJournal } from './refresh-journal.ts';
import { parseSession, type SessionRecord } from './session-record.ts';
import {
  defaultWaits,
  lockLimits,
  SessionBusyError,
  SessionRepository,
  type SessionLockOptions,
  type SessionLockWaits,
} from './session-repository.ts';
import { encryption, storeTokenStore } from './store-token-store.ts';

/**
 * A session in the PostgreSQL store: all machines use it, and one of them renews it. Its times are stored by the clock
 * of the store, so that a machine whose clock is wrong neither renews too early nor uses an expired token.
 */
export class StoreSessionRepository extends SessionRepository {
  readonly #environment: AuthEnvironment;
  readonly #open: () => Promise<SessionTable>;
  readonly #waits: SessionLockWaits;
  #key: Buffer | undefined;
  /** The generation of the last item that was read. A renewal replaces only this generation. */
  #generation: number | undefined;

  constructor(environment: AuthEnvironment, waits = defaultWaits) {
    const { settings, env } = environment;
    let table: Promise<SessionTable> | undefined;
    const open = (): Promise<SessionTable> => (table ??= openTable(environment));
    const place = storeWithoutPassword(settings.storeUrl.value ?? '');
    super(
      storeTokenStore(open, async () => (await encryption()).storeKey(env), place),
      environment,
      waits,
    );
    this.#environment = environment;
    this.#open = open;
    this.#waits = waits;
  }

  override async find(): Promise<SessionRecord | SessionFault | undefined> {
    const stored = await (await this.#open()).read(this.item);
    this.#generation = stored?.generation;
    if (!stored) return undefined;
    const { decryptFromStore } = await encryption();
    const found = parseSession(decryptFromStore(stored.encrypted, await this.#storeKey(), this.item));
    return typeof found === 'object' ? shifted(found, this.#environment.now() - stored.storeNow) : found;
  }

  override async write(record: SessionRecord): Promise<boolean> {
    const table = await this.#open();
    const isNew = record.generation === 1;
    if (isNew) await this.#requireOwn(record);
    const text = JSON.stringify(shifted(record, (await table.now()) - this.#environment.now()));
    const { encryptForStore } = await encryption();
    const encrypted = encryptForStore(text, await this.#storeKey(), this.item);
    return table.write(this.item, encrypted, isNew ? undefined : this.#generation);
  }

  override async rejection({ refreshToken }: SessionRecord): Promise<string | undefined> {
    if (refreshToken === undefined) return undefined;
    const { tokenHash } = await import('./refresh-journal.ts');
    return (await this.#open()).rejection(this.item, tokenHash(refreshToken));
  }

  override async locked<T>(
    work: (journal: RenewalJournal) => Promise<T>,
    { isAhead = false, doneMeanwhile }: SessionLockOptions<T> = {},
  ): Promise<T> {
    const [table, { tokenHash }] = await Promise.all([this.#open(), import('./refresh-journal.ts')]);
    const environment = this.#environment;
    const { signal, waitMilliseconds } = lockLimits(environment.signal, this.#waits, isAhead);
    const started = ownProcess.monotonicMilliseconds();
    let isNoted = false;
    return table.locked(
      this.item,
      () => work(journalOf(table, this.item, tokenHash)),
      async () => {
        signal?.throwIfAborted();
        const done = await doneMeanwhile?.();
        if (done !== undefined) return done;
        const waited = ownProcess.monotonicMilliseconds() - started;
        if (waited >= waitMilliseconds) throw new SessionBusyError();
        if (!isNoted && waited >= this.#waits.notify)
          environment.note?.('Waiting for another ucctl command to renew this session');
        isNoted ||= waited >= this.#waits.notify;
        return undefined;
      },
    );
  }

  async #storeKey(): Promise<Buffer> {
    return (this.#key ??= (await encryption()).storeKey(this.#environment.env));
  }

  /** Two machines with profiles of the same name would otherwise replace each other's sessions. */
  async #requireOwn({ origin, ownerId }: SessionRecord): Promise<void> {
    const stored = await this.usable();
    if (!stored) return;
    const isOther = stored.origin !== origin || (stored.ownerId !== undefined && stored.ownerId !== ownerId);
    if (!isOther) return;
    const who = `extension ${stored.ownerId ?? 'unknown'} at ${stored.origin}`;
    const hint = nextStep`use another profile (-p NAME), or sign out of the stored session first: ${ucctl('logout')}`;
    throw new CommandError(
      'store_session_taken',
      Exit.conflict,
      `cannot sign in: profile "${this.item}" in the store is already signed in as ${who}`,
      {
        hint,
      },
    );
  }
}

async function openTable({ store }: AuthEnvironment): Promise<SessionTable> {
  if (!store) throw usageError('no PostgreSQL store is set', 'set UCCTL_STORE, or use --store');
  const [db, { SessionTable: Table }] = await Promise.all([store(), import('../store/index.ts')]);
  return new Table(db, { machine: hostname(), pid: ownProcess.pid });
}

/**
 * Returns the session with its times converted to another clock. The time of the sign-in identifies the session, so it
 * does not change.
 */
function shifted(record: SessionRecord, by: number): SessionRecord {
  const { expiresAt, refreshExpiresAt, renewedAt } = record;
  return {
    ...record,
    expiresAt: expiresAt + by,
    ...(refreshExpiresAt !== undefined && { refreshExpiresAt: refreshExpiresAt + by }),
    ...(renewedAt !== undefined && { renewedAt: renewedAt + by }),
  };
}

function journalOf(table: SessionTable, item: string, tokenHash: (token: string) => string): RenewalJournal {
  return {
    unfinished: (token) => table.intent(item, tokenHash(token)),
    begin: (token) => table.begin(item, tokenHash(token)),
    // The row of an earlier unfinished renewal remains, because `begin` does not replace it.
    unused: async (token, earlier) => {
      if (!earlier) await table.end(item, tokenHash(token));
    },
    end: (token) => table.end(item, tokenHash(token)),
    rejection: (token) => table.rejection(item, tokenHash(token)),
    reject: (token, reason) => table.reject(item, tokenHash(token), reason),
    async prove() {
      await table.begin(item, tokenHash(''));
      await table.end(item, tokenHash(''));
    },
    clear: () => table.clear(item),
  };
}
