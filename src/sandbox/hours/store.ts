import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

export interface RuleRow {
  readonly extensionId: number;
  readonly id: string;
  readonly type: string;
  /** The members of the rule except ID, type and uri, as JSON. */
  readonly body: string;
}

/** Business hours and answering rules. */
export class HoursStore {
  readonly #hours;
  readonly #saveHours;
  readonly #rules;
  readonly #saveRule;
  readonly #removeRule;

  constructor(db: Database) {
    this.#hours = prepare<{ schedule: string }>(
      db,
      'SELECT schedule FROM businessHours WHERE ownerId = :ownerId',
    );
    this.#saveHours = prepareInsert(db, 'businessHours', ['ownerId', 'schedule'], 'REPLACE');
    this.#rules = prepare<RuleRow>(
      db,
      'SELECT * FROM answeringRule WHERE extensionId = :extensionId ORDER BY id',
    );
    this.#saveRule = prepareInsert<RuleRow>(
      db,
      'answeringRule',
      ['extensionId', 'id', 'type', 'body'],
      'REPLACE',
    );
    this.#removeRule = prepare(db, 'DELETE FROM answeringRule WHERE extensionId = :extensionId AND id = :id');
  }

  /** Returns the schedule of an extension or an account, as JSON; undefined before its first change. */
  schedule(ownerId: number): string | undefined {
    return this.#hours.get({ ownerId })?.schedule;
  }

  saveSchedule(ownerId: number, schedule: string): void {
    this.#saveHours.run({ ownerId, schedule });
  }

  /** Returns the stored rules of an extension. */
  rules(extensionId: number): readonly RuleRow[] {
    return this.#rules.all({ extensionId });
  }

  saveRule(row: RuleRow): void {
    this.#saveRule.run(row);
  }

  removeRule(extensionId: number, id: string): void {
    this.#removeRule.run({ extensionId, id });
  }
}
