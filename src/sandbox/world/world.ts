import { openDatabase, transaction, type Database } from '../../platform/sqlite.ts';
import { Clock, type ClockMode } from './clock.ts';
import { Faults } from '../control/faults.ts';
import { Metrics } from './metrics.ts';
import { Random } from './random.ts';
import { RateLimiter } from '../server/rate-limiter.ts';
import type { SandboxSettings } from './settings.ts';
import { AccountStore } from '../directory/account-store.ts';
import { AppStore } from '../oauth/app-store.ts';
import { AttachmentStore } from '../messages/attachment-store.ts';
import { AuthorizationStore } from '../oauth/authorization-store.ts';
import { CallRecordStore } from '../calls/record-store.ts';
import { CallStore } from '../calls/store.ts';
import { ChannelStore } from '../subscriptions/channel-store.ts';
import { ChatStore } from '../chat/store.ts';
import { DeliveryStore } from '../subscriptions/delivery-store.ts';
import { DepartmentStore } from '../queues/store.ts';
import { ExtensionStore } from '../directory/extension-store.ts';
import { GroupCommit } from './group-commit.ts';
import { MessageStore } from '../messages/store.ts';
import { MetaStore } from './meta-store.ts';
import { NumberStore } from '../directory/number-store.ts';
import { PickStore } from '../control/pick-store.ts';
import { MessageSyncStore } from '../messages/sync-store.ts';
import { PagerThreadStore } from '../pager/store.ts';
import { PresenceStore } from '../presence/store.ts';
import { RequestLog } from '../server/request-log.ts';
import { schema, schemaVersion } from './schema.ts';
import { SessionStore } from '../oauth/session-store.ts';
import { SubscriptionStore } from '../subscriptions/store.ts';
import { TimerStore, type Timer } from './timer-store.ts';

/** What happens when a timer goes off, by its kind; runs in a transaction. */
export type TimerHandlers = Readonly<Record<string, (world: World, subject: string) => void>>;

interface WorldParts {
  /** A file, or `:memory:`. */
  readonly database: string;
  readonly seed: number;
  readonly clock: ClockMode;
  readonly startTime: number;
  /** As given at the start; what the control surface changed later wins. */
  readonly settings: SandboxSettings;
  readonly timers: TimerHandlers;
  /** `off` by default. */
  readonly rateLimits?: 'realistic' | 'off';
  /** Told of what the sandbox itself did wrong. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

const settings = 'settings';
/** Errors of its own that a sandbox keeps. */
const mostBugs = 100;

type IdKind = 'message' | 'attachment' | 'call' | 'callRecord' | 'recording' | 'fax';

/** The service's whole state. Everything in it lives in one database, also the clock and the randomness. */
export class World {
  readonly seed: number;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly limits: RateLimiter;
  readonly metrics = new Metrics();
  readonly random: Random;
  readonly meta: MetaStore;
  readonly accounts: AccountStore;
  readonly apps: AppStore;
  readonly attachments: AttachmentStore;
  readonly authorizations: AuthorizationStore;
  readonly callRecords: CallRecordStore;
  readonly calls: CallStore;
  readonly channels: ChannelStore;
  readonly chat: ChatStore;
  readonly deliveries: DeliveryStore;
  readonly departments: DepartmentStore;
  readonly extensions: ExtensionStore;
  readonly messages: MessageStore;
  readonly numbers: NumberStore;
  readonly picks: PickStore;
  readonly messageSync: MessageSyncStore;
  readonly pagerThreads: PagerThreadStore;
  readonly presences: PresenceStore;
  readonly requestLog: RequestLog;
  readonly sessions: SessionStore;
  readonly subscriptions: SubscriptionStore;
  readonly timers: TimerStore;
  /** The service's address, without a slash at the end. */
  baseUrl = 'http://127.0.0.1';
  /** What the sandbox itself did wrong: `close` of the sandbox tells. */
  readonly bugs: unknown[] = [];
  /** Where content addresses lead, when that is another origin than the service's own. */
  #mediaBaseUrl: string | undefined;
  readonly #db: Database;
  readonly #commits: GroupCommit;
  readonly #given: SandboxSettings;
  #settings: SandboxSettings;
  readonly #onFailure: (error: unknown) => void;
  #open = true;
  #afterCommit: () => void = () => undefined;

  constructor(parts: WorldParts) {
    this.#given = parts.settings;
    this.#onFailure = parts.onFailure ?? (() => undefined);
    this.#settings = parts.settings;
    this.seed = parts.seed;
    this.#db = openDatabase(parts.database);
    createTables(this.#db);
    const db = this.#db;
    this.meta = new MetaStore(db);
    this.accounts = new AccountStore(db);
    this.apps = new AppStore(db);
    this.attachments = new AttachmentStore(db);
    this.authorizations = new AuthorizationStore(db);
    this.callRecords = new CallRecordStore(db);
    this.calls = new CallStore(db);
    this.channels = new ChannelStore(db);
    this.chat = new ChatStore(db);
    this.deliveries = new DeliveryStore(db);
    this.departments = new DepartmentStore(db);
    this.extensions = new ExtensionStore(db);
    this.messages = new MessageStore(db);
    this.numbers = new NumberStore(db);
    this.picks = new PickStore(db);
    this.messageSync = new MessageSyncStore(db);
    this.pagerThreads = new PagerThreadStore(db);
    this.presences = new PresenceStore(db);
    this.requestLog = new RequestLog(db, parts.settings.requestLogRows);
    this.sessions = new SessionStore(db);
    this.subscriptions = new SubscriptionStore(db);
    this.timers = new TimerStore(db);
    this.random = new Random(parts.seed, this.meta);
    this.#commits = new GroupCommit(db, parts.database !== ':memory:', {
      keep: () => {
        this.random.save();
        this.clock.save();
      },
      undo: () => this.random.restore(),
      afterCommit: () => this.#afterCommit(),
    });
    this.clock = new Clock({
      mode: parts.clock,
      startTime: parts.startTime,
      meta: this.meta,
      timers: this.timers,
      now: (work) => this.#commits.now(work),
      soon: (work) => this.#commits.soon(work),
      part: (work) => this.#commits.part(work),
      fire: (timer: Timer) => {
        this.metrics.count('timers', timer.kind);
        parts.timers[timer.kind]?.(this, timer.subject);
      },
      failed: (error) => this.noteFailure(error),
    });
    this.faults = new Faults(parts.seed);
    this.limits = new RateLimiter(parts.rateLimits ?? 'off', () => this.clock.machine());
    this.#readSettings();
  }

  /** The present values of the choices that docs/spec leaves open. */
  get settings(): SandboxSettings {
    return this.#settings;
  }

  /** Changes settings for this and for later starts of the same database. In a transaction. */
  changeSettings(changed: Readonly<Record<string, string | number | boolean>>): void {
    const stored = JSON.parse(this.meta.get(settings) ?? '{}') as object;
    this.meta.set(settings, JSON.stringify({ ...stored, ...changed }));
    this.#readSettings();
  }

  #readSettings(): void {
    const stored = JSON.parse(this.meta.get(settings) ?? '{}') as Partial<SandboxSettings>;
    this.#settings = { ...this.#given, ...stored };
  }

  /** Origin of content addresses, without a slash at the end; that of the service unless set. */
  get mediaBaseUrl(): string {
    return this.#mediaBaseUrl ?? this.baseUrl;
  }
  set mediaBaseUrl(url: string) {
    this.#mediaBaseUrl = url;
  }

  /** Counts an error of the sandbox itself, keeps it for `close`, and tells whoever listens. */
  noteFailure(error: unknown): void {
    this.metrics.count('failures', error instanceof Error ? error.name : 'unknown');
    if (this.bugs.length < mostBugs) this.bugs.push(error);
    this.#onFailure(error);
  }

  /** Runs `work` as one transaction: everything or nothing, on disk when it returns. */
  inTransaction<T>(work: () => T): T {
    return this.#commits.now(work);
  }

  /** As `inTransaction`, sharing one sync of the disk with what else is asked for at the same moment. */
  commit<T>(work: () => T): Promise<T> {
    return this.#commits.soon(work);
  }

  /** The database itself, for snapshots, reset and the hash of the state. */
  get database(): Database {
    return this.#db;
  }

  /** Reads back what is kept outside the tables, after these were replaced. */
  reload(startTime?: number): void {
    this.apps.forget();
    this.random.restore();
    this.clock.restore(startTime);
    this.#readSettings();
  }

  /** Called after every commit: the place of those who act on what was written. */
  onCommit(listener: () => void): void {
    this.#afterCommit = listener;
  }

  /** A new id in the sequence of this kind; ids of different kinds do not look alike. */
  nextId(kind: IdKind, first: number): number {
    return this.reserveIds(kind, first, 1);
  }

  /** As many new ids, without gaps: the first of them. */
  reserveIds(kind: IdKind, first: number, count: number): number {
    const key = `id.${kind}`;
    const last = this.meta.number(key) ?? first;
    this.meta.set(key, String(last + count));
    return last + 1;
  }

  close(): void {
    this.clock.stop();
    this.#commits.flush();
    this.inTransaction(() => this.requestLog.flush());
    this.#db.close();
    this.#open = false;
  }

  /** Ends as a crash would: without a last write. For tests of durability. */
  crash(): void {
    this.clock.stop();
    if (this.#open) this.#db.close();
    this.#open = false;
  }
}

function createTables(db: Database): void {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (row.user_version === schemaVersion) return;
  if (row.user_version !== 0) {
    throw new Error(
      `the database is of another version of the sandbox (${row.user_version}); use a new file`,
    );
  }
  transaction(db, () => db.exec(`${schema} PRAGMA user_version = ${schemaVersion};`));
}
