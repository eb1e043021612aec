import type { Database } from '../../platform/sqlite.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { prepare, prepareInsert, type Slice, type RowWindow } from '../world/sql.ts';

/** The agents of call queues. */
export class DepartmentStore {
  readonly #add;
  readonly #remove;
  readonly #count;
  readonly #page;
  readonly #isAgent;
  readonly #of;

  constructor(db: Database) {
    this.#add = prepareInsert(db, 'departmentMember', ['departmentId', 'extensionId'], 'IGNORE');
    this.#remove = prepare(
      db,
      'DELETE FROM departmentMember WHERE departmentId = :departmentId AND extensionId = :extensionId',
    );
    this.#count = prepare<{ n: number }>(
      db,
      'SELECT count(*) AS n FROM departmentMember WHERE departmentId = :departmentId',
    );
    this.#page = prepare<ExtensionRow>(
      db,
      `SELECT extension.* FROM departmentMember JOIN extension ON extension.id = extensionId
       WHERE departmentId = :departmentId ORDER BY extension.id LIMIT :limit OFFSET :offset`,
    );
    this.#isAgent = prepare<{ n: number }>(
      db,
      'SELECT 1 AS n FROM departmentMember WHERE extensionId = :extensionId LIMIT 1',
    );
    this.#of = prepare<{ departmentId: number }>(
      db,
      'SELECT departmentId FROM departmentMember WHERE extensionId = :extensionId ORDER BY departmentId',
    );
  }

  /** Adds an agent. @returns whether the extension was not a member before. */
  add(departmentId: number, extensionId: number): boolean {
    return this.#add.run({ departmentId, extensionId }).changes === 1;
  }

  /** Removes an agent. @returns whether the extension was a member. */
  remove(departmentId: number, extensionId: number): boolean {
    return this.#remove.run({ departmentId, extensionId }).changes === 1;
  }

  members(departmentId: number, window: RowWindow = { limit: -1, offset: 0 }): Slice<ExtensionRow> {
    return {
      rows: this.#page.all({ departmentId, ...window }),
      total: this.#count.get({ departmentId })?.n ?? 0,
    };
  }

  /** Returns the queues of an agent. */
  of(extensionId: number): readonly number[] {
    return this.#of.all({ extensionId }).map(({ departmentId }) => departmentId);
  }

  /** Whether the extension is an agent of any queue. */
  isAgent(extensionId: number): boolean {
    return this.#isAgent.get({ extensionId }) !== undefined;
  }
}
