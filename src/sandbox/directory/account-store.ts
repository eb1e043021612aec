import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert, prepareCached } from '../world/sql.ts';

export interface AccountRow {
  readonly id: number;
  readonly mainNumber: string;
  /** The user who signs in with the main number and no extension. */
  readonly administratorId: number | null;
  /** The extension that may send texts from the main number (SMS-5). */
  readonly operatorId: number | null;
  readonly brandId: string;
  readonly partnerAccountId: string;
}
/** Reads and writes the accounts of the sandbox. */
export class AccountStore {
  readonly #byId;
  readonly #first;
  readonly #all;
  readonly #add;

  constructor(db: Database) {
    this.#byId = prepareCached<AccountRow>(db, 'account', 'SELECT * FROM account WHERE id = :id');
    this.#first = prepare<AccountRow>(db, 'SELECT * FROM account ORDER BY id LIMIT 1');
    this.#all = prepare<AccountRow>(db, 'SELECT * FROM account ORDER BY id');
    this.#add = prepareInsert<AccountRow>(db, 'account', [
      'id',
      'mainNumber',
      'administratorId',
      'operatorId',
      'brandId',
      'partnerAccountId',
    ]);
  }

  byId(id: number): AccountRow | undefined {
    return this.#byId(id);
  }

  all(): readonly AccountRow[] {
    return this.#all.all();
  }

  /** Returns the account that the fixture created. */
  first(): AccountRow {
    const row = this.#first.get();
    if (!row) throw new Error('the sandbox has no account');
    return row;
  }

  add(row: AccountRow): void {
    this.#add.run(row);
  }
}
