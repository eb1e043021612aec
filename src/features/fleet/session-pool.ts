import { messageOf } from '../../errors/command.ts';
import { ownProcess } from '../../platform/own-process.ts';
import type { Queries } from '../../platform/postgres/postgres.ts';
import type { FleetSession } from '../../runtime/fleet-session.ts';
import { StoreError } from '../../platform/store-error.ts';
import {
  enrolledSessions,
  reportOpened,
  reportSession,
  reportUnopened,
  sessionGenerations,
  type EnrolledSession,
} from './sessions.ts';
import type { WorkerSessions } from './worker-settings.ts';

/** Milliseconds between two reads of the enrolled sign-ins, with the default lease or a longer one. */
const longestInterval = 30_000;
/** The interval is at most this number of leases: a worker with a short lease also reads the sign-ins more often. */
const leasesPerInterval = 4;
/** A worker without budget reads the sign-ins after this part of an interval. */
const hurry = 6;
/** Intervals after which the worker retries a lost sign-in whose session in the store has not changed. */
const intervalsUntilRetry = 10;

/** How a pool opens sign-ins, and what it reports. */
export interface SessionPoolSettings {
  readonly db: Queries;
  /** The sign-in of this run. */
  readonly own: FleetSession;
  readonly leaseMilliseconds: number;
  /** Opens an enrolled sign-in; undefined if the worker uses only its own. @throws if there is no usable session. */
  readonly open:
    | ((enrolled: Pick<EnrolledSession, 'profile' | 'origin'>) => Promise<FleetSession>)
    | undefined;
  /** Milliseconds of a monotonic clock; default: of this process. */
  readonly monotonic?: () => number;
  /** Called when a sign-in was added to a running worker, or a lost sign-in can be used again. */
  readonly onUsed: (profile: string) => void;
  /** Called with the reason why a sign-in cannot be opened. */
  readonly onUnopened: (profile: string, problem: string) => void;
  /** Called with the reason why a sign-in cannot be used any more. */
  readonly onLost: (profile: string, problem: string) => void;
}

/** What is known about a sign-in that cannot be used. */
interface Loss {
  /** Monotonic milliseconds. */
  readonly at: number;
  /** Number of changes of the session in the store; undefined if the session is not in the store. */
  readonly generation: number | undefined;
}

/**
 * The sign-ins of a worker: its own and the enrolled ones, which it reads again at intervals. It retries a lost sign-in when
 * the session in the store has changed, or after a long time.
 */
export class SessionPool implements WorkerSessions {
  readonly #settings: SessionPoolSettings;
  readonly #monotonic: () => number;
  readonly #interval: number;
  #sessions: readonly FleetSession[];
  /** Opened sign-ins, by the members of their enrollment. */
  #opened = new Map<string, FleetSession>();
  readonly #lost = new Map<FleetSession, Loss>();
  /** The reported reasons why sign-ins cannot be used or opened, by profile. */
  readonly #lossesReported = new Map<string, string>();
  readonly #unopened = new Map<string, string>();
  /** Profiles with a problem in the store. */
  #recorded = new Set<string>();
  #loadedAt = Number.NEGATIVE_INFINITY;
  #dueAt = Number.NEGATIVE_INFINITY;

  constructor(settings: SessionPoolSettings) {
    this.#settings = settings;
    this.#monotonic = settings.monotonic ?? ownProcess.monotonicMilliseconds;
    this.#interval = Math.min(longestInterval, settings.leaseMilliseconds * leasesPerInterval);
    this.#sessions = [settings.own];
  }

  get usable(): readonly FleetSession[] {
    return this.#sessions.filter((session) => !this.#lost.has(session));
  }

  /** Number of sign-ins that cannot be used any more. */
  get lost(): number {
    return this.#sessions.length - this.usable.length;
  }

  async refresh(): Promise<void> {
    const now = this.#monotonic();
    if (now < this.#dueAt) return;
    const isFirst = this.#loadedAt === Number.NEGATIVE_INFINITY;
    this.#loadedAt = now;
    this.#dueAt = now + this.#interval;
    await this.#retryLost(now);
    await this.#load(isFirst);
  }

  wantMore(): void {
    this.#dueAt = Math.min(this.#dueAt, this.#loadedAt + this.#interval / hurry);
  }

  async works(session: FleetSession): Promise<void> {
    const { profile } = session;
    // An attempt that began earlier may succeed after the loss.
    if (this.#lost.has(session)) return;
    if (this.#lossesReported.delete(profile)) this.#settings.onUsed(profile);
    if (this.#recorded.delete(profile)) await reportSession(this.#settings.db, profile, null);
  }

  async lose(session: FleetSession, problem: string): Promise<void> {
    const { db, onLost } = this.#settings;
    const { profile } = session;
    if (this.#lost.has(session) || !this.#sessions.includes(session)) return;
    const at = this.#monotonic();
    this.#lost.set(session, { at, generation: undefined });
    // A failed retry is not reported again.
    if (this.#lossesReported.get(profile) !== problem) onLost(profile, problem);
    this.#lossesReported.set(profile, problem);
    try {
      const generation = (await sessionGenerations(db, [profile])).get(profile);
      this.#lost.set(session, { at, generation });
      this.#recorded.add(profile);
      await reportSession(db, profile, problem);
    } finally {
      this.#dueAt = Number.NEGATIVE_INFINITY;
    }
  }

  async #retryLost(now: number): Promise<void> {
    if (this.#lost.size === 0) return;
    const profiles = [...this.#lost.keys()].map(({ profile }) => profile);
    const generations = await sessionGenerations(this.#settings.db, profiles);
    for (const [session, { at, generation }] of this.#lost) {
      const isChanged = generations.get(session.profile) !== generation;
      if (!isChanged && now - at < this.#interval * intervalsUntilRetry) continue;
      this.#lost.delete(session);
      // Opened again, because another user may have signed in.
      for (const [key, one] of this.#opened) if (one === session) this.#opened.delete(key);
    }
  }

  async #load(isFirst: boolean): Promise<void> {
    const { db, own } = this.#settings;
    if (!this.#settings.open) return;
    const enrolled = await enrolledSessions(db);
    const sessions = [own];
    const opened = new Map<string, FleetSession>();
    for (const one of enrolled) {
      const same = sessions.find(({ owner }) => owner === one.owner);
      if (same && same.profile !== one.profile) continue;
      const session = same ?? this.#opened.get(keyOf(one)) ?? (await this.#open(one, isFirst));
      if (!session) continue;
      await reportOpened(db, one, session);
      if (sessions.some(({ owner }) => owner === session.owner)) continue;
      opened.set(keyOf({ ...one, owner: session.owner }), session);
      sessions.push(session);
    }
    this.#opened = opened;
    this.#sessions = sessions;
    this.#recorded = new Set(
      enrolled.filter(({ problem }) => problem !== null).map(({ profile }) => profile),
    );
    for (const session of this.#lost.keys()) if (!sessions.includes(session)) this.#lost.delete(session);
  }

  async #open(enrolled: EnrolledSession, isFirst: boolean): Promise<FleetSession | undefined> {
    const { db, open, onUnopened, onUsed } = this.#settings;
    const { profile } = enrolled;
    try {
      const session = await open?.(enrolled);
      this.#unopened.delete(profile);
      if (!isFirst && !this.#lossesReported.has(profile)) onUsed(profile);
      return session;
    } catch (error) {
      const problem = messageOf(error);
      if (this.#unopened.get(profile) !== problem) onUnopened(profile, problem);
      this.#unopened.set(profile, problem);
      // A failure of the store says nothing about the session.
      if (!(error instanceof StoreError)) await reportUnopened(db, profile, problem);
      return undefined;
    }
  }
}

function keyOf({ profile, origin, owner }: Pick<EnrolledSession, 'profile' | 'origin' | 'owner'>): string {
  return [profile, origin, owner].join('\n');
}
