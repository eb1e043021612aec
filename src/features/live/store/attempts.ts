import type { Database } from '../../../platform/sqlite.ts';
import { prepareNamed } from '../../../platform/named-statement.ts';

/** The events of one extension for one target. */
export interface Lane {
  readonly target: string;
  readonly lane: string;
}

/** The owner of lanes in which dead letters are redelivered. No receiver has this name. */
export const redelivery = 'redelivery';

/**
 * The lanes in which processes deliver events. A listener has a row during each attempt, and a redelivery of dead letters
 * has a row while it occupies the lane. The row of a killed process remains, so its owner must also have a lock.
 */
export class Attempts {
  readonly #begin;
  readonly #occupy;
  readonly #end;
  readonly #endAll;
  readonly #receivers;

  constructor(db: Database) {
    const isLane = 'target = :target AND lane = :lane';
    this.#begin = prepareNamed(
      db,
      `INSERT OR REPLACE INTO attempt (target, lane, owner) SELECT :target, :lane, :owner
       WHERE NOT EXISTS (SELECT 1 FROM attempt WHERE ${isLane} AND owner = '${redelivery}')`,
    );
    this.#occupy = prepareNamed(
      db,
      `INSERT INTO attempt (target, lane, owner) VALUES (:target, :lane, '${redelivery}')`,
    );
    this.#end = prepareNamed(db, `DELETE FROM attempt WHERE ${isLane} AND owner = :owner`);
    this.#endAll = prepareNamed(db, 'DELETE FROM attempt WHERE owner = :owner');
    this.#receivers = prepareNamed<{ readonly owner: string }>(
      db,
      `SELECT owner FROM attempt WHERE ${isLane} AND owner <> '${redelivery}'`,
    );
  }

  /** Records an attempt of a receiver. Returns false while a redelivery of dead letters occupies the lane. */
  begin({ target, lane }: Lane, receiver: string): boolean {
    return this.#begin.run({ target, lane, owner: receiver }).changes > 0;
  }

  /** Occupies a lane for a redelivery. Attempts that have begun may still be in progress. */
  occupy({ target, lane }: Lane): void {
    this.#occupy.run({ target, lane });
  }

  end({ target, lane }: Lane, owner: string): void {
    this.#end.run({ target, lane, owner });
  }

  /** Deletes the rows of an owner whose process has ended. */
  endAll(owner: string): void {
    this.#endAll.run({ owner });
  }

  /** Returns the receivers with an attempt in this lane. */
  receivers({ target, lane }: Lane): readonly string[] {
    return this.#receivers.all({ target, lane }).map(({ owner }) => owner);
  }
}
