import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from './sql.ts';

/** Something that happens at a time, to one subject (an id). */
export interface Timer {
  readonly id: number;
  readonly due: number;
  readonly kind: string;
  readonly subject: string;
}

/** Durable timers: in order of time, then of creation. */
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

  /** One timer of a kind for each subject: setting it again moves it. */
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
