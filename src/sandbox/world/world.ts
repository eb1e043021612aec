import { setMaxListeners } from 'node:events';
import { dialects, type Dialect, type DialectName } from '../../contract/dialects.ts';
import { openDatabase, type Database } from '../../platform/sqlite.ts';
import { Clock, type ClockMode } from './clock.ts';
import { Faults } from '../control/faults.ts';
import { Metrics } from './metrics.ts';
import { Random } from './random.ts';
import { RateLimiter } from '../server/rate-limiter.ts';
import type { SandboxSettings } from './settings.ts';
import { AccountStore } from '../directory/account-store.ts';
import { AppStore } from '../oauth/app-store.ts';
import { AuditStore } from '../audit/store.ts';
import { AttachmentStore } from '../messages/attachment-store.ts';
import { AuthorizationStore } from '../oauth/authorization-store.ts';
import { CallRecordStore } from '../calls/record-store.ts';
import { CallStore } from '../calls/store.ts';
import { ChannelStore } from '../subscriptions/channel-store.ts';
import { ChatStore } from '../chat/store.ts';
import { changesOf, type ChangeFeed } from './changes.ts';
import { ConsoleStore } from '../console/store.ts';
import { DeliveryStore } from '../subscriptions/delivery-store.ts';
import { DetailStore } from '../directory/detail-store.ts';
import { QueueSettingStore } from '../queues/settings-store.ts';
import { DepartmentStore } from '../queues/store.ts';
import { ExtensionStore } from '../directory/extension-store.ts';
import { HoursStore } from '../hours/store.ts';
import { TransactionGroup } from './transaction-group.ts';
import { MessageReportStore } from '../message-reports/store.ts';
import { MessageStore } from '../messages/store.ts';
import { MetaStore } from './meta-store.ts';
import { NumberStore } from '../directory/number-store.ts';
import { PickStore } from '../control/pick-store.ts';
import { MessageSyncStore } from '../messages/sync-store.ts';
import { PagerThreadStore } from '../pager/store.ts';
import { PresenceStore } from '../presence/store.ts';
import { RequestLog } from '../server/request-log.ts';
import { createTables } from './create-tables.ts';
import { SessionStore } from '../oauth/session-store.ts';
import { SocketMessageStore } from '../sockets/message-store.ts';
import { SocketRegistry } from '../sockets/registry.ts';
import { SocketTokenStore } from '../sockets/token-store.ts';
import { SmsBatchStore } from '../sms-batches/store.ts';
import { SubscriptionStore } from '../subscriptions/store.ts';
import { TaskStore } from '../directory/task-store.ts';
import { TimerStore } from './timer-store.ts';

/** The handlers of timers by kind; each runs in a transaction. */
export type TimerHandlers = Readonly<Record<string, (world: World, subject: string) => void>>;

interface WorldParts {
  /** Path of the database file, or `:memory:`. */
  readonly database: string;
  readonly seed: number;
  readonly clock: ClockMode;
  readonly startTime: number;
  /** Settings at the start. Later changes by the control API take precedence. */
  readonly settings: SandboxSettings;
  readonly timers: TimerHandlers;
  /** Dialect of paths, IDs and permissions; default `spec`. */
  readonly dialect?: DialectName | undefined;
  /** Rate limits of the sandbox; `off` by default. */
  readonly rateLimits?: 'realistic' | 'off';
  /** Called with every internal error of the sandbox. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

const settings = 'settings';
/** Number of internal errors that are stored for `close`. */
const mostBugs = 100;

type IdKind = 'message' | 'attachment' | 'call' | 'callRecord' | 'recording' | 'fax' | 'answeringRule';

/** Many webhook posts follow the signal at the same time. */
function newEra(): AbortController {
  const era = new AbortController();
  setMaxListeners(0, era.signal);
  return era;
}

/** The complete state of the service. All of it is in one database, including the clock and the randomness. */
export class World {
  readonly seed: number;
  readonly dialectName: DialectName;
  readonly dialect: Dialect;
  /** Notifies the open pages of the console. */
  readonly changes: ChangeFeed;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly limits: RateLimiter;
  readonly metrics = new Metrics();
  readonly random: Random;
  readonly meta: MetaStore;
  readonly accounts: AccountStore;
  readonly apps: AppStore;
  readonly attachments: AttachmentStore;
  readonly audit: AuditStore;
  readonly authorizations: AuthorizationStore;
  readonly callRecords: CallRecordStore;
  readonly calls: CallStore;
  readonly channels: ChannelStore;
  readonly chat: ChatStore;
  readonly console: ConsoleStore;
  readonly deliveries: DeliveryStore;
  readonly departments: DepartmentStore;
  readonly details: DetailStore;
  readonly extensions: ExtensionStore;
  readonly hours: HoursStore;
  readonly messageReports: MessageReportStore;
  readonly messages: MessageStore;
  readonly numbers: NumberStore;
  readonly picks: PickStore;
  readonly messageSync: MessageSyncStore;
  readonly pagerThreads: PagerThreadStore;
  readonly presences: PresenceStore;
  readonly queueSettings: QueueSettingStore;
  readonly requestLog: RequestLog;
  readonly sessions: SessionStore;
  /** Events of WebSocket sessions. */
  readonly socketMessages: SocketMessageStore;
  /** Tokens for new WebSockets. */
  readonly socketTokens = new SocketTokenStore();
  /** WebSocket sessions. */
  readonly sockets = new SocketRegistry();
  readonly smsBatches: SmsBatchStore;
  readonly subscriptions: SubscriptionStore;
  readonly tasks: TaskStore;
  readonly timers: TimerStore;
  /** Local address of the service, without a trailing slash. */
  baseUrl = 'http://127.0.0.1';
  /** Origin of links in replies, if clients reach the service at another address. */
  publicUrl: string | undefined;
  /** Internal errors of the sandbox; `close` throws them. */
  readonly bugs: unknown[] = [];
  /** Origin of content addresses, if it differs from that of the service. */
  #mediaBaseUrl: string | undefined;
  readonly #db: Database;
  readonly #commits: TransactionGroup;
  readonly #given: SandboxSettings;
  #settings: SandboxSettings;
  readonly #onFailure: (error: unknown) => void;
  #open = true;
  #era = newEra();
  #afterCommit: () => void = () => undefined;

  constructor(parts: WorldParts) {
    this.#given = parts.settings;
    this.#onFailure = parts.onFailure ?? (() => undefined);
    this.#settings = parts.settings;
    this.seed = parts.seed;
    this.dialectName = parts.dialect ?? 'spec';
    this.dialect = dialects[this.dialectName];
    this.#db = openDatabase(parts.database);
    createTables(this.#db);
    const db = this.#db;
    this.changes = changesOf(db);
    this.meta = new MetaStore(db);
    this.accounts = new AccountStore(db);
    this.apps = new AppStore(db, this.dialectName);
    this.attachments = new AttachmentStore(db);
    this.audit = new AuditStore(db);
    this.authorizations = new AuthorizationStore(db);
    this.callRecords = new CallRecordStore(db);
    this.calls = new CallStore(db);
    this.channels = new ChannelStore(db);
    this.chat = new ChatStore(db);
    this.console = new ConsoleStore(db);
    this.deliveries = new DeliveryStore(db);
    this.departments = new DepartmentStore(db);
    this.details = new DetailStore(db);
    this.extensions = new ExtensionStore(db);
    this.hours = new HoursStore(db);
    this.messageReports = new MessageReportStore(db);
    this.messages = new MessageStore(db);
    this.numbers = new NumberStore(db);
    this.picks = new PickStore(db);
    this.messageSync = new MessageSyncStore(db);
    this.pagerThreads = new PagerThreadStore(db);
    this.presences = new PresenceStore(db);
    this.queueSettings = new QueueSettingStore(db);
    this.requestLog = new RequestLog(db, () => this.#settings.requestLogRows);
    this.sessions = new SessionStore(db);
    this.socketMessages = new SocketMessageStore(db);
    this.smsBatches = new SmsBatchStore(db);
    this.subscriptions = new SubscriptionStore(db);
    this.tasks = new TaskStore(db);
    this.timers = new TimerStore(db);
    this.random = new Random(parts.seed, this.meta);
    this.#commits = this.#createCommits(parts.database !== ':memory:');
    this.clock = this.#createClock(parts);
    this.faults = new Faults(parts.seed);
    this.limits = new RateLimiter(parts.rateLimits ?? 'off', () => this.clock.machine());
    this.#readSettings();
  }

  #createCommits(isDurable: boolean): TransactionGroup {
    return new TransactionGroup(this.#db, isDurable, {
      beforeCommit: () => {
        this.random.save();
        this.clock.save();
      },
      undo: () => this.random.restore(),
      afterCommit: () => this.#afterCommit(),
    });
  }

  #createClock({ clock, startTime, timers }: WorldParts): Clock {
    return new Clock({
      mode: clock,
      startTime,
      meta: this.meta,
      timers: this.timers,
      now: (work) => this.#commits.now(work),
      soon: (work) => this.#commits.soon(work),
      part: (work) => this.#commits.part(work),
      fire: ({ kind, subject }) => {
        this.metrics.count('timers', kind);
        timers[kind]?.(this, subject);
      },
      failed: (error) => this.noteFailure(error),
    });
  }

  /** The current values of the choices that docs/spec leaves open. */
  get settings(): SandboxSettings {
    return this.#settings;
  }

  /** Changes settings for this start and later starts of the same database. Must run in a transaction. */
  changeSettings(changed: Readonly<Record<string, string | number | boolean>>): void {
    const stored = JSON.parse(this.meta.get(settings) ?? '{}') as object;
    this.meta.set(settings, JSON.stringify({ ...stored, ...changed }));
    this.#readSettings();
  }

  #readSettings(): void {
    const stored = JSON.parse(this.meta.get(settings) ?? '{}') as Partial<SandboxSettings>;
    this.#settings = { ...this.#given, ...stored };
  }

  /** Origin of content addresses, without a trailing slash; by default the origin of the service. */
  get mediaBaseUrl(): string {
    return this.#mediaBaseUrl ?? this.publicUrl ?? this.baseUrl;
  }
  set mediaBaseUrl(url: string) {
    this.#mediaBaseUrl = url;
  }

  /** Counts an internal error of the sandbox, stores it for `close` and reports it to the listener. */
  noteFailure(error: unknown): void {
    this.metrics.count('failures', error instanceof Error ? error.name : 'unknown');
    if (this.bugs.length < mostBugs) this.bugs.push(error);
    this.#onFailure(error);
  }

  /** Runs `work` as one transaction, which is on disk when the method returns. */
  inTransaction<T>(work: () => T): T {
    return this.#commits.now(work);
  }

  /** Like `inTransaction`, but shares one disk sync with other work of the same turn of the event loop. */
  commit<T>(work: () => T): Promise<T> {
    return this.#commits.soon(work);
  }

  /**
   * Like `commit`, for work that no request waits for. A failure is an internal error of the sandbox, or has no effect
   * after the sandbox was closed: a connection may end later than its sandbox.
   */
  commitInBackground(work: () => void): void {
    if (!this.#open) return;
    this.commit(work).catch((error: unknown) => {
      if (this.#open) this.noteFailure(error);
    });
  }

  /** The database itself, for snapshots, reset and the hash of the state. */
  get database(): Database {
    return this.#db;
  }

  /**
   * Aborts when a reset or a snapshot replaces the tables. Work that then continues must not use what it read before,
   * because the new tables may have the same IDs.
   */
  get era(): AbortSignal {
    return this.#era.signal;
  }

  /** Reads the state outside the tables again, after the tables were replaced. */
  reload(startTime?: number): void {
    this.#era.abort();
    this.#era = newEra();
    this.apps.forget();
    this.requestLog.clear();
    this.random.restore();
    this.clock.restore(startTime);
    this.#readSettings();
  }

  /** Called after every commit, for listeners that act on what was written. */
  onCommit(listener: () => void): void {
    this.#afterCommit = listener;
  }

  /** Returns a new ID in the sequence of this kind. Each kind starts at its own number `first`. */
  nextId(kind: IdKind, first: number): number {
    return this.reserveIds(kind, first, 1);
  }

  /** Reserves consecutive IDs and returns the first. */
  reserveIds(kind: IdKind, first: number, count: number): number {
    const key = `id.${kind}`;
    const last = this.meta.number(key) ?? first;
    this.meta.set(key, String(last + count));
    return last + 1;
  }

  close(): void {
    this.clock.stop();
    this.#commits.flush();
    this.inTransaction(() => {
      this.requestLog.flush();
      this.clock.store();
    });
    this.#db.close();
    this.#open = false;
  }

  /** Stops without a last write, like a crash. For tests of durability. */
  crash(): void {
    this.clock.stop();
    if (this.#open) this.#db.close();
    this.#open = false;
  }
}
