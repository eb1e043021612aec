import type { Database } from '../../platform/sqlite.ts';
import type { ExtensionFilter } from '../../contract/extension.ts';
import {
  prepare,
  prepareInsert,
  prepareCached,
  QueryCache,
  type Slice,
  Conditions,
  type RowWindow,
} from '../world/sql.ts';

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
  readonly statusComment: string | null;
  /** Role in the fixture, e.g. `administrator`. */
  readonly role: string;
  readonly password: string | null;
  readonly admin: number;
  readonly internationalCalling: number;
}

/** Why an extension is not Enabled. */
export interface StatusInfo {
  readonly reason?: string | null | undefined;
  readonly comment?: string | null | undefined;
}

/** Tables whose rows belong to one extension, with the column of its ID. */
const ownTables = [
  ['departmentMember', 'extensionId'],
  ['queueAbsence', 'extensionId'],
  ['presence', 'extensionId'],
  ['phoneNumber', 'extensionId'],
  ['forwardingNumber', 'extensionId'],
  ['authorization', 'extensionId'],
  ['chatMember', 'extensionId'],
  ['extensionDetail', 'extensionId'],
  ['businessHours', 'ownerId'],
  ['answeringRule', 'extensionId'],
  ['extension', 'id'],
] as const;

/** Reads and writes the extensions of all accounts. */
export class ExtensionStore {
  readonly #byId;
  readonly #byNumber;
  readonly #byEmail;
  readonly #named;
  readonly #add;
  readonly #setPassword;
  readonly #setStatus;
  readonly #update;
  readonly #change;
  readonly #newest;
  readonly #remove;
  readonly #lists;

  constructor(db: Database) {
    this.#byId = prepareCached<ExtensionRow>(db, 'extension', 'SELECT * FROM extension WHERE id = :id');
    this.#byNumber = prepare<ExtensionRow>(
      db,
      'SELECT * FROM extension WHERE accountId = :accountId AND extensionNumber = :extensionNumber',
    );
    this.#byEmail = prepare<ExtensionRow>(db, 'SELECT * FROM extension WHERE email = :email');
    this.#named = prepare<ExtensionRow>(
      db,
      "SELECT * FROM extension WHERE accountId = :accountId AND (password IS NOT NULL OR type = 'Department') ORDER BY id",
    );
    this.#add = prepareInsert<ExtensionRow>(db, 'extension', [
      'id',
      'accountId',
      'extensionNumber',
      'name',
      'firstName',
      'lastName',
      'email',
      'type',
      'status',
      'statusReason',
      'statusComment',
      'role',
      'password',
      'admin',
      'internationalCalling',
    ]);
    this.#setPassword = prepare(db, 'UPDATE extension SET password = :password WHERE id = :id');
    this.#setStatus = prepare(
      db,
      'UPDATE extension SET status = :status, statusReason = :reason, statusComment = :comment WHERE id = :id',
    );
    this.#update = prepare(
      db,
      `UPDATE extension SET extensionNumber = :extensionNumber, name = :name, firstName = :firstName, lastName = :lastName,
       email = :email WHERE id = :id`,
    );
    this.#change = prepare(
      db,
      'UPDATE extension SET extensionNumber = :extensionNumber, name = :name, firstName = :name, status = :status WHERE id = :id',
    );
    this.#newest = prepare<{ readonly id: number }>(db, 'SELECT max(id) AS id FROM extension');
    this.#remove = ownTables.map(([table, column]) =>
      prepare(db, `DELETE FROM ${table} WHERE ${column} = :id`),
    );
    this.#lists = new QueryCache(db);
  }

  byId(id: number): ExtensionRow | undefined {
    return this.#byId(id);
  }

  byNumber(accountId: number, extensionNumber: string): ExtensionRow | undefined {
    return this.#byNumber.get({ accountId, extensionNumber });
  }

  byEmail(email: string): ExtensionRow | undefined {
    return this.#byEmail.get({ email: email.toLowerCase() });
  }

  /** Returns the call queues, and the users who have a password. */
  named(accountId: number): readonly ExtensionRow[] {
    return this.#named.all({ accountId });
  }

  list(accountId: number, filter: ExtensionFilter, window: RowWindow): Slice<ExtensionRow> {
    const where = new Conditions().add('accountId = :accountId', { accountId });
    const { extensionNumber } = filter;
    if (extensionNumber !== undefined) where.add('extensionNumber = :extensionNumber', { extensionNumber });
    where.in(
      'email',
      filter.email?.map((email) => email.toLowerCase()),
    );
    where.in('status', filter.status).in('type', filter.type);
    const total = this.#lists
      .query<{ n: number }>(`SELECT count(*) AS n FROM extension ${where.text}`)
      .get(where.values);
    const rows = this.#lists
      .query<ExtensionRow>(`SELECT * FROM extension ${where.text} ORDER BY id LIMIT :limit OFFSET :offset`)
      .all({ ...where.values, ...window });
    return { rows, total: total?.n ?? 0 };
  }

  setPassword(id: number, password: string): void {
    this.#setPassword.run({ password, id });
  }

  /** Stores the status of an extension, with the reason and the comment of its statusInfo. */
  setStatus(id: number, status: string, { reason = null, comment = null }: StatusInfo = {}): void {
    this.#setStatus.run({ status, reason, comment, id });
  }

  /** Stores number, names and e-mail of an extension. */
  update({ id, extensionNumber, name, firstName, lastName, email }: ExtensionRow): void {
    const lower = email?.toLowerCase() ?? null;
    this.#update.run({ id, extensionNumber, name, firstName, lastName, email: lower });
  }

  /** Changes the number, name and status of a queue. */
  change(id: number, to: Pick<ExtensionRow, 'extensionNumber' | 'name' | 'status'>): void {
    this.#change.run({ ...to, id });
  }

  /** Returns the ID of a new extension. */
  nextId(): number {
    return (this.#newest.get({})?.id ?? 0) + 1;
  }

  /**
   * Removes an extension with its numbers, presence, memberships and authorizations. The message store removes the
   * mailbox.
   */
  remove(id: number): void {
    for (const statement of this.#remove) statement.run({ id });
  }

  add(row: ExtensionRow): void {
    this.#add.run({ ...row, email: row.email?.toLowerCase() ?? null });
  }
}
