import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

export interface QueueSettingRow {
  readonly queueId: number;
  readonly slaGoal: number;
  readonly slaThresholdSeconds: number;
  readonly includeAbandonedCalls: number;
  readonly abandonedThresholdSeconds: number;
  readonly editableMemberStatus: number;
  readonly alertTimer: number;
}

/** The settings of call queues, and the availability of their members. */
export class QueueSettingStore {
  readonly #read;
  readonly #write;
  readonly #absences;
  readonly #addAbsence;
  readonly #removeAbsence;

  constructor(db: Database) {
    this.#read = prepare<QueueSettingRow>(db, 'SELECT * FROM queueSetting WHERE queueId = :queueId');
    this.#write = prepareInsert<QueueSettingRow>(
      db,
      'queueSetting',
      [
        'queueId',
        'slaGoal',
        'slaThresholdSeconds',
        'includeAbandonedCalls',
        'abandonedThresholdSeconds',
        'editableMemberStatus',
        'alertTimer',
      ],
      'REPLACE',
    );
    this.#absences = prepare<{ readonly extensionId: number }>(
      db,
      'SELECT extensionId FROM queueAbsence WHERE queueId = :queueId',
    );
    this.#addAbsence = prepareInsert(db, 'queueAbsence', ['queueId', 'extensionId'], 'IGNORE');
    this.#removeAbsence = prepare(
      db,
      'DELETE FROM queueAbsence WHERE queueId = :queueId AND extensionId = :extensionId',
    );
  }

  /** Returns the settings of a queue, or the defaults of the sandbox if they were never changed. */
  of(queueId: number): QueueSettingRow {
    return this.#read.get({ queueId }) ?? { queueId, ...defaults };
  }

  save(row: QueueSettingRow): void {
    this.#write.run(row);
  }

  /** Returns the members who do not accept the calls of a queue. */
  absent(queueId: number): ReadonlySet<number> {
    return new Set(this.#absences.all({ queueId }).map(({ extensionId }) => extensionId));
  }

  /** Changes whether a member accepts the calls of a queue. @returns whether the value changed. */
  setAccepts(queueId: number, extensionId: number, accepts: boolean): boolean {
    const statement = accepts ? this.#removeAbsence : this.#addAbsence;
    return statement.run({ queueId, extensionId }).changes === 1;
  }
}

/** The settings of a new queue (docs/internals/service-gaps.md). */
const defaults = {
  slaGoal: 80,
  slaThresholdSeconds: 30,
  includeAbandonedCalls: 1,
  abandonedThresholdSeconds: 5,
  editableMemberStatus: 1,
  alertTimer: 30,
} as const;
