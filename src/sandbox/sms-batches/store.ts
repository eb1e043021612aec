import type { Database } from '../../platform/sqlite.ts';
import { Conditions, prepare, prepareInsert, QueryCache, type RowWindow } from '../world/sql.ts';

export interface SmsBatchRow {
  readonly id: number;
  readonly accountId: number;
  readonly time: number;
  /** The number of the sender. */
  readonly sender: string;
  /** Number of texts in the request, including rejected ones. */
  readonly size: number;
  /** The rejected texts, as JSON. */
  readonly rejected: string;
}

/** A text with the sender and time of its batch. */
export interface SmsBatchMessageRow {
  readonly id: number;
  readonly batchId: number;
  /** The numbers of the recipients, as a JSON list. */
  readonly receivers: string;
  readonly text: string;
  readonly sender: string;
  readonly time: number;
}

/** Creation times of batches, in milliseconds since 1970: later than `after`, at the latest `until`. */
export interface CreationTimes {
  readonly after: number;
  readonly until: number;
}

/** Filters of batches; undefined for all batches. Times are milliseconds since 1970, inclusive. */
export interface SmsBatchConditions {
  readonly accountId: number;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly sender?: string | undefined;
  readonly batchId?: number | undefined;
  /** Each batch was created in one of these periods. */
  readonly times?: readonly CreationTimes[] | undefined;
}

/** Filters of texts. */
export interface SmsBatchMessageConditions extends SmsBatchConditions {
  /** Each text has one of these numbers as its sender or as a recipient. */
  readonly numbers?: readonly string[] | undefined;
}

/** Batches of high-volume texts. */
export class SmsBatchStore {
  readonly #add;
  readonly #addMessage;
  readonly #byId;
  readonly #lists;

  constructor(db: Database) {
    this.#add = prepareInsert<Omit<SmsBatchRow, 'id'>>(db, 'smsBatch', [
      'accountId',
      'time',
      'sender',
      'size',
      'rejected',
    ]);
    this.#addMessage = prepareInsert<Pick<SmsBatchMessageRow, 'batchId' | 'receivers' | 'text'>>(
      db,
      'smsBatchMessage',
      ['batchId', 'receivers', 'text'],
    );
    this.#byId = prepare<SmsBatchRow>(db, 'SELECT * FROM smsBatch WHERE id = :id');
    this.#lists = new QueryCache(db);
  }

  add(row: Omit<SmsBatchRow, 'id'>): SmsBatchRow {
    return { ...row, id: this.#add.run(row).id };
  }

  addMessage(row: Pick<SmsBatchMessageRow, 'batchId' | 'receivers' | 'text'>): void {
    this.#addMessage.run(row);
  }

  byId(id: number): SmsBatchRow | undefined {
    return this.#byId.get({ id });
  }

  /** Returns the batches of an account, newest first. */
  list(conditions: SmsBatchConditions, window: RowWindow): readonly SmsBatchRow[] {
    const where = whereOf(conditions);
    return this.#lists
      .query<SmsBatchRow>(
        `SELECT * FROM smsBatch AS b ${where.text} ORDER BY b.id DESC LIMIT :limit OFFSET :offset`,
      )
      .all({ ...where.values, ...window });
  }

  /** Returns the texts of batches in the order of their requests. */
  messages(conditions: SmsBatchMessageConditions, window: RowWindow): readonly SmsBatchMessageRow[] {
    const where = whereOf(conditions);
    const { numbers } = conditions;
    if (numbers !== undefined) {
      where.add(
        `EXISTS (SELECT 1 FROM json_each(:numbers) AS one WHERE one.value = b.sender
         OR one.value IN (SELECT value FROM json_each(m.receivers)))`,
        { numbers: JSON.stringify(numbers) },
      );
    }
    return this.#lists
      .query<SmsBatchMessageRow>(
        `SELECT m.*, b.sender, b.time FROM smsBatchMessage AS m JOIN smsBatch AS b ON b.id = m.batchId ${where.text}
         ORDER BY m.id LIMIT :limit OFFSET :offset`,
      )
      .all({ ...where.values, ...window });
  }
}

function whereOf({ accountId, from, to, sender, batchId, times }: SmsBatchConditions): Conditions {
  const where = new Conditions().add('b.accountId = :accountId', { accountId });
  if (from !== undefined) where.add('b.time >= :from', { from });
  if (to !== undefined) where.add('b.time <= :to', { to });
  if (sender !== undefined) where.add('b.sender = :sender', { sender });
  if (batchId !== undefined) where.add('b.id = :batchId', { batchId });
  if (times !== undefined) {
    where.add(
      `EXISTS (SELECT 1 FROM json_each(:times) AS one
       WHERE b.time > one.value ->> 'after' AND b.time <= one.value ->> 'until')`,
      { times: JSON.stringify(times) },
    );
  }
  return where;
}
