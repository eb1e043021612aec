import type { MetaStore } from './meta-store.ts';
import type { Timer, TimerStore } from './timer-store.ts';

/** A timer that went off. */
export interface FiredTimer {
  /** When, in milliseconds since 1970. */
  readonly due: number;
  readonly kind: string;
  readonly subject: string;
}

/** The machine's time, none that passes by itself, or one that runs so many times as fast. */
export type ClockMode = 'real' | 'frozen' | `${number}x`;

interface ClockParts {
  readonly mode: ClockMode;
  /** Milliseconds since 1970; where a new clock that is not real starts. */
  readonly startTime: number;
  readonly meta: MetaStore;
  readonly timers: TimerStore;
  /** Runs as one transaction, now. */
  readonly now: <T>(work: () => T) => T;
  /** Runs with the next group of transactions. */
  readonly soon: <T>(work: () => T) => Promise<T>;
  /** Runs inside a transaction; undone alone when it throws. */
  readonly part: <T>(work: () => T) => T;
  readonly fire: (timer: Timer) => void;
  /** A handler that threw: its timer is gone, its changes are undone. */
  readonly failed: (error: unknown) => void;
}

const timeKey = 'clock.time';
const offset = 'clock.offset';
/** Longest wait that setTimeout takes. */
const longest = 2_147_483_647;
/** Timers that share one transaction. */
const batchSize = 256;

/**
 * The only source of time. Frozen, it moves when told to; real or faster, it follows the machine, and can be put forward. Its state is in
 * the database, and what is due runs in order, many timers to a transaction.
 */
export class Clock {
  readonly #parts: ClockParts;
  #mode: ClockMode;
  /** Of a clock that is not real: its time when the machine's was `#anchor`. */
  #time: number;
  #anchor = machineTime();
  /** Of a real clock: how far it was put forward. */
  #offset: number;
  /** Set while timers run: the time is theirs. */
  #at: number | undefined;
  #alarm: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: ClockParts) {
    this.#parts = parts;
    this.#mode = parts.mode;
    this.#time = parts.meta.number(timeKey) ?? parts.startTime;
    this.#offset = parts.meta.number(offset) ?? 0;
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

  /** The machine's time, whatever this clock shows: for limits that protect a machine. */
  machine(): number {
    return machineTime();
  }

  /** The time as the service writes it. */
  iso(time: number = this.now()): string {
    return new Date(time).toISOString();
  }

  /** Goes on from the present time in another way. */
  setMode(mode: ClockMode): void {
    if (mode === this.#mode) return;
    const time = this.now();
    this.#mode = mode;
    this.#parts.now(() => this.#move(time));
    this.schedule();
  }

  /** Puts the clock forward and runs every timer that falls due, in order, each at its own time. */
  advance(milliseconds: number): readonly FiredTimer[] {
    if (!(milliseconds >= 0)) throw new RangeError('a clock only goes forward');
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
    this.#alarm = setTimeout(() => void this.#ring(), Math.ceil(wait));
    this.#alarm.unref();
  }

  /** For good: the last commit of a closing sandbox must not set another alarm. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#alarm);
  }

  /** Called before each commit: a clock that runs by itself leaves word where it was. */
  save(): void {
    if (this.#mode !== 'real' && this.#mode !== 'frozen') this.#parts.meta.set(timeKey, String(this.now()));
  }

  /** Reads the state back after the tables were replaced: the time that they know goes on, else `startTime`. In a transaction. */
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
    }
  }

  /** Runs in a transaction. */
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
      // A full batch leaves the clock at its last timer, so that a crash between two batches repeats nothing.
      if (reached !== undefined && reached > start) this.#move(reached);
    } finally {
      this.#at = undefined;
    }
    return fired;
  }

  /** Makes `time` the present. In a transaction. */
  #move(time: number): void {
    this.#at = undefined;
    this.#anchor = machineTime();
    if (this.#mode === 'real') {
      this.#offset = time - this.#anchor;
      this.#parts.meta.set(offset, String(this.#offset));
      return;
    }
    this.#time = time;
    this.#parts.meta.set(timeKey, String(time));
  }
}

function speedOf(mode: ClockMode): number {
  return mode === 'real' || mode === 'frozen' ? 1 : Number(mode.slice(0, -1));
}

function machineTime(): number {
  return Date.now();
}
