import type { Database } from '../../platform/sqlite.ts';
import { prepare } from '../world/sql.ts';

/** The users from whom the traffic generator chooses. */
export class PickStore {
  readonly #count;
  readonly #at;
  readonly #number;

  constructor(db: Database) {
    const users = `extension WHERE type = 'User' AND status = 'Enabled'`;
    this.#count = prepare<{ n: number }>(db, `SELECT count(*) AS n FROM ${users}`);
    this.#at = prepare<{ id: number }>(db, `SELECT id FROM ${users} ORDER BY id LIMIT 1 OFFSET :offset`);
    this.#number = prepare<{ phoneNumber: string }>(
      db,
      'SELECT phoneNumber FROM phoneNumber WHERE extensionId = :extensionId ORDER BY id LIMIT 1',
    );
  }

  users(): number {
    return this.#count.get()?.n ?? 0;
  }

  /** ID of the user at an index, counted from 0. */
  user(index: number): number | undefined {
    return this.#at.get({ offset: index })?.id;
  }

  /** Returns the first number of an extension. */
  numberOf(extensionId: number): string | undefined {
    return this.#number.get({ extensionId })?.phoneNumber;
  }
}
