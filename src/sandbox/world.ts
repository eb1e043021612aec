import { openDatabase, transaction, type Database } from '../platform/sqlite.ts';
import { Clock } from './clock.ts';
import { Random } from './random.ts';
import type { SandboxSettings } from './settings.ts';
import { AccountStore } from './store/accounts.ts';
import { AppStore } from './store/apps.ts';
import { AuthorizationStore } from './store/authorizations.ts';
import { ChannelStore } from './store/channels.ts';
import { ChatStore } from './store/chat.ts';
import { DeliveryStore } from './store/deliveries.ts';
import { DepartmentStore } from './store/departments.ts';
import { ExtensionStore } from './store/extensions.ts';
import { MessageStore } from './store/messages.ts';
import { MetaStore } from './store/meta.ts';
import { NumberStore } from './store/numbers.ts';
import { PresenceStore } from './store/presences.ts';
import { RequestLog } from './store/request-log.ts';
import { SCHEMA, SCHEMA_VERSION } from './store/schema.ts';
import { SessionStore } from './store/sessions.ts';
import { SubscriptionStore } from './store/subscriptions.ts';
import { TimerStore, type Timer } from './store/timers.ts';

/** What happens when a timer goes off, by its kind; runs in a transaction. */
export type TimerHandlers = Readonly<Record<string, (world: World, subject: string) => void>>;

interface WorldParts {
  /** A file, or `:memory:`. */
  readonly database: string;
  readonly seed: number;
  readonly clock: 'real' | 'frozen';
  readonly startTime: number;
  readonly settings: SandboxSettings;
  readonly timers: TimerHandlers;
}

/** The service's whole state. Everything in it lives in one database, also the clock and the randomness. */
export class World {
  readonly settings: SandboxSettings;
  readonly seed: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly meta: MetaStore;
  readonly accounts: AccountStore;
  readonly apps: AppStore;
  readonly authorizations: AuthorizationStore;
  readonly channels: ChannelStore;
  readonly chat: ChatStore;
  readonly deliveries: DeliveryStore;
  readonly departments: DepartmentStore;
  readonly extensions: ExtensionStore;
  readonly messages: MessageStore;
  readonly numbers: NumberStore;
  readonly presences: PresenceStore;
  readonly requestLog: RequestLog;
  readonly sessions: SessionStore;
  readonly subscriptions: SubscriptionStore;
  readonly timers: TimerStore;
  /** The service's address, without a slash at the end. */
  baseUrl = 'http://127.0.0.1';
  readonly #db: Database;
  #afterCommit: () => void = () => undefined;

  constructor(parts: WorldParts) {
    this.settings = parts.settings;
    this.seed = parts.seed;
    this.#db = openDatabase(parts.database);
    createTables(this.#db);
    const db = this.#db;
    this.meta = new MetaStore(db);
    this.accounts = new AccountStore(db);
    this.apps = new AppStore(db);
    this.authorizations = new AuthorizationStore(db);
    this.channels = new ChannelStore(db);
    this.chat = new ChatStore(db);
    this.deliveries = new DeliveryStore(db);
    this.departments = new DepartmentStore(db);
    this.extensions = new ExtensionStore(db);
    this.messages = new MessageStore(db);
    this.numbers = new NumberStore(db);
    this.presences = new PresenceStore(db);
    this.requestLog = new RequestLog(db, parts.settings.requestLogRows);
    this.sessions = new SessionStore(db);
    this.subscriptions = new SubscriptionStore(db);
    this.timers = new TimerStore(db);
    this.random = new Random(parts.seed, this.meta);
    this.clock = new Clock({
      mode: parts.clock,
      startTime: parts.startTime,
      meta: this.meta,
      timers: this.timers,
      inTransaction: (work) => this.inTransaction(work),
      fire: (timer: Timer) => parts.timers[timer.kind]?.(this, timer.subject),
    });
  }

  /** Runs `work` as one transaction: everything or nothing, on disk when it returns. */
  inTransaction<T>(work: () => T): T {
    try {
      const result = transaction(this.#db, () => {
        const value = work();
        this.random.save();
        return value;
      });
      this.#afterCommit();
      return result;
    } catch (error) {
      this.random.restore();
      throw error;
    }
  }

  /** Called after every commit: the place of those who act on what was written. */
  onCommit(listener: () => void): void {
    this.#afterCommit = listener;
  }

  /** A new id in the sequence of this kind; ids of different kinds do not look alike. */
  nextId(kind: 'message' | 'attachment', first: number): number {
    const key = `id.${kind}`;
    const id = (this.meta.number(key) ?? first) + 1;
    this.meta.set(key, String(id));
    return id;
  }

  close(): void {
    this.clock.stop();
    this.inTransaction(() => this.requestLog.flush());
    this.#db.close();
  }

  /** Ends as a crash would: without a last write. For tests of durability. */
  crash(): void {
    this.clock.stop();
    this.#db.close();
  }
}

function createTables(db: Database): void {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (row.user_version === SCHEMA_VERSION) return;
  if (row.user_version !== 0) {
    throw new Error(
      `the database is of another version of the sandbox (${row.user_version}); use a new file`,
    );
  }
  transaction(db, () => db.exec(`${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION};`));
}
