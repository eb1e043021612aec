import type { Database } from '../../platform/sqlite.ts';
import { Conditions, prepareInsert, QueryCache, type RowWindow, type Slice } from '../world/sql.ts';

export interface AuditRow {
  readonly id: number;
  readonly accountId: number;
  readonly time: number;
  readonly actionId: string;
  readonly initiatorId: number;
  readonly targetType: string;
  readonly targetId: string;
  readonly targetName: string;
  readonly targetNumber: string | null;
  readonly siteId: string | null;
  /** The details of the change, as a JSON list of pairs of key and value. */
  readonly parameters: string;
}

/** The filters of a search; undefined for all. */
export interface AuditConditions {
  readonly accountId: number;
  /** Milliseconds since 1970, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly initiatorIds: readonly number[] | undefined;
  readonly targetIds: readonly string[] | undefined;
  readonly actionIds: readonly string[] | undefined;
  readonly excludeActionIds: readonly string[] | undefined;
  readonly siteId: string | undefined;
  /** Part of the name of the target or of a value in the details, in any case. */
  readonly searchString: string | undefined;
}

/** The changes of the configuration. */
export class AuditStore {
  readonly #add;
  readonly #lists;

  constructor(db: Database) {
    this.#add = prepareInsert<Omit<AuditRow, 'id'>>(db, 'auditRecord', [
      'accountId',
      'time',
      'actionId',
      'initiatorId',
      'targetType',
      'targetId',
      'targetName',
      'targetNumber',
      'siteId',
      'parameters',
    ]);
    this.#lists = new QueryCache(db);
  }

  add(row: Omit<AuditRow, 'id'>): void {
    this.#add.run(row);
  }

  /** The newest records first, at most `most` of them. */
  search(conditions: AuditConditions, most: number, window: RowWindow): Slice<AuditRow> {
    const where = whereOf(conditions);
    const total = this.#lists
      .query<{ n: number }>(`SELECT count(*) AS n FROM auditRecord ${where.text}`)
      .get(where.values);
    const limit = Math.max(0, Math.min(window.limit, most - window.offset));
    const rows = this.#lists
      .query<AuditRow>(
        `SELECT * FROM auditRecord ${where.text} ORDER BY time DESC, id DESC LIMIT :limit OFFSET :offset`,
      )
      .all({ ...where.values, limit, offset: window.offset });
    return { rows, total: total?.n ?? 0 };
  }
}

function whereOf(conditions: AuditConditions): Conditions {
  const { accountId, from, to, siteId, searchString, excludeActionIds } = conditions;
  const where = new Conditions()
    .add('accountId = :accountId', { accountId })
    .add('time BETWEEN :from AND :to', { from, to })
    .in('initiatorId', conditions.initiatorIds)
    .in('targetId', conditions.targetIds)
    .in('actionId', conditions.actionIds);
  if (siteId !== undefined) where.add('siteId = :siteId', { siteId });
  for (const [index, action] of (excludeActionIds ?? []).entries())
    where.add(`actionId <> :excluded${index}`, { [`excluded${index}`]: action });
  if (searchString !== undefined)
    where.add(
      '(instr(lower(targetName), lower(:search)) > 0 OR instr(lower(parameters), lower(:search)) > 0)',
      {
        search: searchString,
      },
    );
  return where;
}
