import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

/** A task that changes extensions. */
export interface TaskRow {
  readonly id: string;
  readonly accountId: number;
  /** The user who started the task. */
  readonly extensionId: number;
  readonly status: string;
  readonly createdAt: number;
  readonly changedAt: number;
  /** The requested changes, as JSON. */
  readonly records: string;
  /** The results so far, as JSON. */
  readonly results: string;
}

/** The tasks that change extensions. */
export class TaskStore {
  readonly #byId;
  readonly #save;

  constructor(db: Database) {
    this.#byId = prepare<TaskRow>(db, 'SELECT * FROM extensionTask WHERE id = :id');
    this.#save = prepareInsert<TaskRow>(
      db,
      'extensionTask',
      ['id', 'accountId', 'extensionId', 'status', 'createdAt', 'changedAt', 'records', 'results'],
      'REPLACE',
    );
  }

  byId(id: string): TaskRow | undefined {
    return this.#byId.get({ id });
  }

  save(row: TaskRow): void {
    this.#save.run(row);
  }
}
