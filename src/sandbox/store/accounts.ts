import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareKept } from './sql.ts';

export interface AccountRow {
  readonly id: number;
  readonly mainNumber: string;
  /** Who signs in with the main number and no extension. */
  readonly administratorId: number | null;
  /** The extension that may send texts from the main number (SMS-5). */
  readonly operatorId: number | null;
  readonly brandId: string;
  readonly partnerAccountId: string;
}
export interface ChatGroupRow {
  readonly id: string;
  readonly accountId: number;
  readonly type: 'Group' | 'Team';
  readonly name: string;
}

/** The accounts, and their chat groups. */
export class AccountStore {
  readonly #byId;
  readonly #first;
  readonly #all;
  readonly #add;
  readonly #addGroup;
  readonly #groups;

  constructor(db: Database) {
    this.#byId = prepareKept<AccountRow>(db, 'account', 'SELECT * FROM account WHERE id = ?');
    this.#first = prepare<AccountRow>(db, 'SELECT * FROM account ORDER BY id LIMIT 1');
    this.#all = prepare<AccountRow>(db, 'SELECT * FROM account ORDER BY id');
    this.#add = prepare(db, 'INSERT INTO account VALUES (?, ?, ?, ?, ?, ?)');
    this.#addGroup = prepare(db, 'INSERT INTO chatGroup VALUES (?, ?, ?, ?)');
    this.#groups = prepare<ChatGroupRow>(db, 'SELECT * FROM chatGroup WHERE accountId = ? ORDER BY id');
  }

  byId(id: number): AccountRow | undefined {
    return this.#byId(id);
  }

  all(): readonly AccountRow[] {
    return this.#all.all();
  }

  /** The fixture's account. */
  first(): AccountRow {
    const row = this.#first.get();
    if (!row) throw new Error('the sandbox has no account');
    return row;
  }

  add(row: AccountRow): void {
    this.#add.run(
      row.id,
      row.mainNumber,
      row.administratorId,
      row.operatorId,
      row.brandId,
      row.partnerAccountId,
    );
  }

  addGroup(row: ChatGroupRow): void {
    this.#addGroup.run(row.id, row.accountId, row.type, row.name);
  }

  groups(accountId: number): readonly ChatGroupRow[] {
    return this.#groups.all(accountId);
  }
}
