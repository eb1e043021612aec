import type { Database } from '../../platform/sqlite.ts';
import type { ExtensionFilter } from '../../contract/extension.ts';
import { prepare, prepareKept, QueryCache, type Slice, Where, type Window } from './sql.ts';

export interface ExtensionRow {
  readonly id: number;
  readonly accountId: number;
  readonly extensionNumber: string | null;
  readonly name: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly type: string;
  readonly status: string;
  readonly statusReason: string | null;
  /** The part it plays in the fixture, e.g. `administrator`. */
  readonly role: string;
  readonly password: string | null;
  readonly admin: number;
  readonly internationalCalling: number;
}

/** Tables whose rows belong to one extension alone, with the column that says to which. */
const ownTables = [
  ['departmentMember', 'extensionId'],
  ['presence', 'extensionId'],
  ['phoneNumber', 'extensionId'],
  ['forwardingNumber', 'extensionId'],
  ['authorization', 'extensionId'],
  ['chatMember', 'extensionId'],
  ['extension', 'id'],
] as const;

/** The extensions of all accounts. */
export class ExtensionStore {
  readonly #byId;
  readonly #byNumber;
  readonly #byEmail;
  readonly #named;
  readonly #add;
  readonly #setPassword;
  readonly #setStatus;
  readonly #remove;
  readonly #lists;

  constructor(db: Database) {
    this.#byId = prepareKept<ExtensionRow>(db, 'extension', 'SELECT * FROM extension WHERE id = ?');
    this.#byNumber = prepare<ExtensionRow>(
      db,
      'SELECT * FROM extension WHERE accountId = ? AND extensionNumber = ?',
    );
    this.#byEmail = prepare<ExtensionRow>(db, 'SELECT * FROM extension WHERE email = ?');
    this.#named = prepare<ExtensionRow>(
      db,
      "SELECT * FROM extension WHERE accountId = ? AND (password IS NOT NULL OR type = 'Department') ORDER BY id",
    );
    this.#add = prepare(db, 'INSERT INTO extension VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#setPassword = prepare(db, 'UPDATE extension SET password = ? WHERE id = ?');
    this.#setStatus = prepare(db, 'UPDATE extension SET status = ?, statusReason = ? WHERE id = ?');
    this.#remove = ownTables.map(([table, column]) =>
      prepare(db, `DELETE FROM ${table} WHERE ${column} = ?`),
    );
    this.#lists = new QueryCache(db);
  }

  byId(id: number): ExtensionRow | undefined {
    return this.#byId(id);
  }

  byNumber(accountId: number, extensionNumber: string): ExtensionRow | undefined {
    return this.#byNumber.get(accountId, extensionNumber);
  }

  byEmail(email: string): ExtensionRow | undefined {
    return this.#byEmail.get(email.toLowerCase());
  }

  /** Call queues, and everyone who can sign in. */
  named(accountId: number): readonly ExtensionRow[] {
    return this.#named.all(accountId);
  }

  list(accountId: number, filter: ExtensionFilter, window: Window): Slice<ExtensionRow> {
    const where = new Where().add('accountId = ?', accountId);
    if (filter.extensionNumber !== undefined) where.add('extensionNumber = ?', filter.extensionNumber);
    where.in(
      'email',
      filter.email?.map((email) => email.toLowerCase()),
    );
    where.in('status', filter.status).in('type', filter.type);
    const total = this.#lists
      .query<{ n: number }>(`SELECT count(*) AS n FROM extension ${where.text}`)
      .get(...where.values);
    const rows = this.#lists
      .query<ExtensionRow>(`SELECT * FROM extension ${where.text} ORDER BY id LIMIT ? OFFSET ?`)
      .all(...where.values, window.limit, window.offset);
    return { rows, total: total?.n ?? 0 };
  }

  setPassword(id: number, password: string): void {
    this.#setPassword.run(password, id);
  }

  setStatus(id: number, status: string, reason: string | null): void {
    this.#setStatus.run(status, reason, id);
  }

  /** Removes an extension with its numbers, presence, memberships and authorizations. The mailbox is removed by the message store. */
  remove(id: number): void {
    for (const statement of this.#remove) statement.run(id);
  }

  add(row: ExtensionRow): void {
    this.#add.run(
      row.id,
      row.accountId,
      row.extensionNumber,
      row.name,
      row.firstName,
      row.lastName,
      row.email?.toLowerCase() ?? null,
      row.type,
      row.status,
      row.statusReason,
      row.role,
      row.password,
      row.admin,
      row.internationalCalling,
    );
  }
}
