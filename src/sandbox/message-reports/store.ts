import type { Database } from '../../platform/sqlite.ts';
import { Conditions, prepare, prepareInsert, QueryCache } from '../world/sql.ts';
import { toMessageRow, type MessageRow, type StoredMessage } from '../messages/store.ts';

/** A requested report. Its status depends on the clock. */
export interface ReportRow {
  readonly id: string;
  readonly accountId: number;
  /** The user who requested the report. */
  readonly extensionId: number;
  readonly createdAt: number;
  readonly dateFrom: number;
  readonly dateTo: number;
  /** The types of messages, as JSON. */
  readonly types: string;
}

/** The reports of messages. */
export class MessageReportStore {
  readonly #byId;
  readonly #add;
  readonly #lists;

  constructor(db: Database) {
    this.#byId = prepare<ReportRow>(db, 'SELECT * FROM messageReport WHERE id = :id');
    this.#add = prepareInsert<ReportRow>(db, 'messageReport', [
      'id',
      'accountId',
      'extensionId',
      'createdAt',
      'dateFrom',
      'dateTo',
      'types',
    ]);
    this.#lists = new QueryCache(db);
  }

  byId(id: string): ReportRow | undefined {
    return this.#byId.get({ id });
  }

  add(row: ReportRow): void {
    this.#add.run(row);
  }

  /** Returns the mailboxes with messages in a report, by ID. */
  mailboxes(report: ReportRow): readonly number[] {
    const { text, values } = conditionsOf(report);
    const sql = `SELECT DISTINCT extensionId FROM message ${text} ORDER BY extensionId`;
    return this.#lists
      .query<{ extensionId: number }>(sql)
      .all(values)
      .map(({ extensionId }) => extensionId);
  }

  /** Returns the messages of a report in one mailbox, oldest first. */
  messages(report: ReportRow, mailbox: number): readonly MessageRow[] {
    const { text, values } = conditionsOf(report).add('extensionId = :mailbox', { mailbox });
    const sql = `SELECT * FROM message ${text} ORDER BY creationTime, id`;
    return this.#lists.query<StoredMessage>(sql).all(values).map(toMessageRow);
  }
}

/** Messages that the service still has, including deleted messages. */
function conditionsOf({ accountId, dateFrom: from, dateTo: to, types }: ReportRow): Conditions {
  return new Conditions()
    .add('extensionId IN (SELECT id FROM extension WHERE accountId = :accountId)', { accountId })
    .add('creationTime BETWEEN :from AND :to', { from, to })
    .add("availability <> 'Purged'")
    .in('type', JSON.parse(types) as readonly string[]);
}
