import type { MetaStore } from './store/meta.ts';
import type { Timer, TimerStore } from './store/timers.ts';

/** A timer that went off. */
export interface FiredTimer {
  /** When, in milliseconds since 1970. */
  readonly due: number;
  readonly kind: string;
  readonly subject: string;
}

interface ClockParts {
  readonly mode: 'real' | 'frozen';
  /** Milliseconds since 1970; where a new frozen clock starts. */
  readonly startTime: number;
  readonly meta: MetaStore;
  readonly timers: TimerStore;
  readonly inTransaction: <T>(work: () => T) => T;
  readonly fire: (timer: Timer) => void;
}

const TIME = 'clock.time';
const OFFSET = 'clock.offset';
/** Longest wait that setTimeout takes. */
const LONGEST = 2_147_483_647;

/**
 * The only source of time. Frozen, it moves when told to; real, it follows the machine and can be put forward. Its state is in the
 * database, and what is due runs in order, each timer in a transaction of its own.
 */
export class Clock {
  readonly #parts: ClockParts;
  #time: number;
  #offset: number;
  #alarm: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: ClockParts) {
    this.#parts = parts;
    this.#time = parts.meta.number(TIME) ?? parts.startTime;
    this.#offset = parts.meta.number(OFFSET) ?? 0;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#parts.mode === 'real' ? Date.now() + this.#offset : this.#time;
  }

  /** The time as the service writes it. */
  iso(time: number = this.now()): string {
    return new Date(time).toISOString();
  }

  /** Puts the clock forward and runs every timer that falls due, in order, each at its own time. */
  advance(milliseconds: number): readonly FiredTimer[] {
    if (!(milliseconds >= 0)) throw new RangeError('a clock only goes forward');
    const until = this.now() + milliseconds;
    const fired = this.#parts.mode === 'frozen' ? this.#runUntil(until) : this.#jump(milliseconds, until);
    this.schedule();
    return fired;
  }

  /** Runs what is overdue, and with a real clock sets the alarm for the next timer. Called after every change. */
  schedule(): void {
    if (this.#parts.mode === 'frozen' || this.#isStopped) return;
    clearTimeout(this.#alarm);
    const next = this.#parts.timers.next();
    if (!next) return;
    const wait = Math.min(Math.max(next.due - this.now(), 0), LONGEST);
    this.#alarm = setTimeout(() => {
      this.#runUntil(this.now());
      this.schedule();
    }, wait);
    this.#alarm.unref();
  }

  /** For good: the last commit of a closing sandbox must not set another alarm. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#alarm);
  }

  #jump(milliseconds: number, until: number): readonly FiredTimer[] {
    const fired = this.#runUntil(until);
    this.#parts.inTransaction(() => {
      this.#offset += milliseconds;
      this.#parts.meta.set(OFFSET, String(this.#offset));
    });
    return fired;
  }

  #runUntil(until: number): readonly FiredTimer[] {
    const { timers, inTransaction, fire } = this.#parts;
    const fired: FiredTimer[] = [];
    for (let timer = timers.next(until); timer; timer = timers.next(until)) {
      const current = timer;
      inTransaction(() => {
        this.#set(Math.max(current.due, this.#time));
        timers.remove(current.id);
        fire(current);
      });
      fired.push({ due: current.due, kind: current.kind, subject: current.subject });
    }
    if (this.#parts.mode === 'frozen') inTransaction(() => this.#set(until));
    return fired;
  }

  #set(time: number): void {
    if (this.#parts.mode === 'real') return;
    this.#time = time;
    this.#parts.meta.set(TIME, String(time));
  }
}
