import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from './sql.ts';

/** A timer, whose handler runs at the due time for one subject (an ID). */
export interface Timer {
  readonly id: number;
  readonly due: number;
  readonly kind: string;
  readonly subject: string;
}

/** Durable timers, ordered by due time, then by creation. */
export class TimerStore {
  readonly #set;
  readonly #cancel;
  readonly #next;
  readonly #remove;

  constructor(db: Database) {
    this.#set = prepareInsert(db, 'timer', ['due', 'kind', 'subject'], 'REPLACE');
    this.#cancel = prepare(db, 'DELETE FROM timer WHERE kind = :kind AND subject = :subject');
    this.#next = prepare<Timer>(db, 'SELECT * FROM timer WHERE due <= :due ORDER BY due, id LIMIT 1');
    this.#remove = prepare(db, 'DELETE FROM timer WHERE id = :id');
  }

  /** Each subject has at most one timer of a kind: setting it again changes its time. */
  set(kind: string, subject: string | number, due: number): void {
    this.#set.run({ due, kind, subject: String(subject) });
  }

  cancel(kind: string, subject: string | number): void {
    this.#cancel.run({ kind, subject: String(subject) });
  }

  next(until = Number.MAX_SAFE_INTEGER): Timer | undefined {
    return this.#next.get({ due: until });
  }

  remove(id: number): void {
    this.#remove.run({ id });
  }
}
