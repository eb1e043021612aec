import type { MetaStore } from './meta-store.ts';
import type { Timer, TimerStore } from './timer-store.ts';

/** A timer that fired. */
export interface FiredTimer {
  /** Due time in milliseconds since 1970. */
  readonly due: number;
  readonly kind: string;
  readonly subject: string;
}

/** The machine's time, a frozen clock, or an accelerated clock such as `60x`. */
export type ClockMode = 'real' | 'frozen' | `${number}x`;

interface ClockParts {
  readonly mode: ClockMode;
  /** Start of a new frozen or accelerated clock, in milliseconds since 1970. */
  readonly startTime: number;
  readonly meta: MetaStore;
  readonly timers: TimerStore;
  /** Runs work as one transaction, immediately. */
  readonly now: <T>(work: () => T) => T;
  /** Runs work with the next group of transactions. */
  readonly soon: <T>(work: () => T) => Promise<T>;
  /** Runs work inside the open transaction. If the work throws, only the changes of this work are rolled back. */
  readonly part: <T>(work: () => T) => T;
  readonly fire: (timer: Timer) => void;
  /** Called when a handler throws; its timer is deleted and its changes are rolled back. */
  readonly failed: (error: unknown) => void;
}

/** The time of the clock at the last change, in every mode. */
const timeKey = 'clock.time';
const offset = 'clock.offset';
/** Longest delay that setTimeout accepts. */
const longest = 2_147_483_647;
/** Milliseconds until timers run again after the database could not be written. */
const retryMilliseconds = 1000;
/** Timers that share one transaction. */
const batchSize = 256;

/**
 * The only source of time. A frozen clock moves only in `advance`. A real or accelerated clock follows the machine and
 * can also be advanced. Its state is in the database. Due timers run in order, many in one transaction.
 */
export class Clock {
  readonly #parts: ClockParts;
  #mode: ClockMode;
  /**
   * For a frozen or accelerated clock, the time of the clock when the machine's time was `#anchor`. For a real clock, the
   * latest stored time.
   */
  #time: number;
  #anchor = machineTime();
  /** For a real clock, the milliseconds by which it was advanced. */
  #offset: number;
  /** The due time of the timers that are running. */
  #at: number | undefined;
  #alarm: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** The number of changes of the database after the last `save`. */
  #saved = -1;

  /** Continues at or after the stored time, in every mode, so that the clock never goes back between two starts. */
  constructor(parts: ClockParts) {
    this.#parts = parts;
    this.#mode = parts.mode;
    const stored = parts.meta.number(timeKey);
    this.#time = stored ?? (parts.mode === 'real' ? 0 : parts.startTime);
    this.#offset = Math.max(parts.meta.number(offset) ?? 0, this.#time - this.#anchor);
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  /** Milliseconds since 1970. */
  now(): number {
    if (this.#at !== undefined) return this.#at;
    if (this.#mode === 'real') return machineTime() + this.#offset;
    const passed = this.#mode === 'frozen' ? 0 : (machineTime() - this.#anchor) * speedOf(this.#mode);
    return Math.floor(this.#time + passed);
  }

  /** Returns the machine's time, for limits that protect the machine. */
  machine(): number {
    return machineTime();
  }

  /** Returns the time in the format of the service. */
  iso(time: number = this.now()): string {
    return new Date(time).toISOString();
  }

  /** Changes the mode without changing the current time. */
  setMode(mode: ClockMode): void {
    if (mode === this.#mode) return;
    const time = this.now();
    this.#mode = mode;
    this.#parts.now(() => this.#move(time));
    this.schedule();
  }

  /** Advances the clock and runs every timer that is due, in order, each at its own time. */
  advance(milliseconds: number): readonly FiredTimer[] {
    if (!Number.isFinite(milliseconds) || milliseconds < 0)
      throw new RangeError('the sandbox clock can only move forward, by a number of milliseconds');
    const until = this.now() + milliseconds;
    const fired: FiredTimer[] = [];
    for (;;) {
      const batch = this.#parts.now(() => this.#runBatch(until));
      fired.push(...batch);
      if (batch.length < batchSize) break;
    }
    this.#parts.now(() => this.#move(until));
    this.schedule();
    return fired;
  }

  /** Sets the alarm for the next timer, unless the clock is frozen. Called after every change. */
  schedule(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#alarm);
    if (this.#mode === 'frozen') return;
    const next = this.#parts.timers.next();
    if (!next) return;
    const wait = Math.min(Math.max((next.due - this.now()) / speedOf(this.#mode), 0), longest);
    this.#setAlarm(Math.ceil(wait));
  }

  /** Stops the clock permanently, so that the last commit of a closing sandbox does not set another alarm. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#alarm);
  }

  /** Stores the time of a running clock with each change of the database. Called before each commit. */
  save(): void {
    // A transaction without changes must not wait for the disk.
    if (this.#mode === 'frozen' || this.#parts.meta.changes() === this.#saved) return;
    this.store();
    this.#saved = this.#parts.meta.changes();
  }

  /** Stores the time. Must run in a transaction. */
  store(): void {
    const now = this.now();
    // The machine's time can go back.
    if (this.#mode === 'real') this.#time = Math.max(this.#time, now);
    this.#parts.meta.set(timeKey, String(this.#mode === 'real' ? this.#time : now));
  }

  /**
   * Reads the state again after the tables were replaced, and continues from the stored time or else from
   * `startTime`. Must run in a transaction.
   */
  restore(startTime?: number): void {
    const stored = this.#parts.meta.number(timeKey);
    if (stored !== undefined) this.#move(stored);
    else if (this.#mode === 'real') this.#move(machineTime());
    else this.#move(startTime ?? this.#parts.startTime);
  }

  async #ring(): Promise<void> {
    try {
      await this.#parts.soon(() => this.#runBatch(this.now()));
    } catch (error) {
      this.#parts.failed(error);
      // No commit follows that would set the alarm again.
      if (this.#mode !== 'frozen') this.#setAlarm(retryMilliseconds);
    }
  }

  #setAlarm(milliseconds: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#alarm);
    this.#alarm = setTimeout(() => void this.#ring(), milliseconds);
    this.#alarm.unref();
  }

  /** Fires one batch of timers. The caller opens the transaction. */
  #runBatch(until: number): readonly FiredTimer[] {
    const { timers, part, fire, failed } = this.#parts;
    const start = this.now();
    const fired: FiredTimer[] = [];
    try {
      while (fired.length < batchSize) {
        const timer = timers.next(until);
        if (!timer) break;
        this.#at = Math.max(timer.due, start);
        timers.remove(timer.id);
        try {
          part(() => fire(timer));
        } catch (error) {
          failed(error);
        }
        fired.push({ due: timer.due, kind: timer.kind, subject: timer.subject });
      }
      const reached = this.#at;
      // After a full batch, the clock is set to the time of the last timer, so that no timer runs twice
      // after a crash between two batches.
      if (reached !== undefined && reached > start) this.#move(reached);
    } finally {
      this.#at = undefined;
    }
    return fired;
  }

  /** Sets the current time. Must run in a transaction. */
  #move(time: number): void {
    this.#at = undefined;
    this.#anchor = machineTime();
    this.#time = time;
    this.#parts.meta.set(timeKey, String(time));
    if (this.#mode !== 'real') return;
    this.#offset = time - this.#anchor;
    this.#parts.meta.set(offset, String(this.#offset));
  }
}

function speedOf(mode: ClockMode): number {
  return mode === 'real' || mode === 'frozen' ? 1 : Number(mode.slice(0, -1));
}

function machineTime(): number {
  return Date.now();
}
