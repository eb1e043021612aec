import type { Postgres, Transaction } from '../../../platform/postgres/postgres.ts';
import type { ReplySink } from '../../../store/reply.ts';
import { keyOf } from '../message-table.ts';
import { BadRecordError, type MessageColumns, readRecord, type Tombstone } from '../record.ts';
import { copyIn, type CopyValue } from './copy-in.ts';
import { fullText } from './words.ts';

/**
 * Records in memory before they are written to the stage. Most replies have fewer records, and need no connection while
 * they arrive.
 */
const batchSize = 2000;

/** Number of staged records from which the planner needs statistics. */
const analyzedFrom = 200;

/** Creates the stage of a connection, with the columns of `message`. The stage is empty outside of a sync. */
const createStage = `create temporary table if not exists stage_message as
  select 0::bigint as ord, ''::text as kind, message.* from message with no data; truncate stage_message`;

const stageColumns = [
  'ord',
  'kind',
  'message_id',
  'availability',
  'type',
  'direction',
  'read_status',
  'message_status',
  'creation_time',
  'last_modified_time',
  'conversation_id',
  'from_number',
  'from_extension',
  'from_name',
  'to_numbers',
  'to_names',
  'subject',
  'media_wanted',
  'attachments',
  'created_key',
  'words',
  'raw',
] as const;

/** A record that cannot be stored. */
export interface StagedProblem {
  readonly messageId: string | null;
  readonly problem: string;
}

/**
 * Receives a reply. The records wait in memory or, if there are many, in a temporary table of a connection that is not
 * in a transaction: an open transaction would hold locks and delay readers while the service sends the reply.
 */
export class Stage implements ReplySink {
  readonly #db: Postgres;
  readonly #extensionId: string;
  readonly #isErased: (record: MessageColumns) => boolean;
  readonly problems: StagedProblem[] = [];
  received = 0;
  #rows: (readonly CopyValue[])[] = [];
  #ord = 0;
  #session: LongSession | undefined;

  constructor(db: Postgres, extensionId: string, isErased: (record: MessageColumns) => boolean) {
    this.#db = db;
    this.#extensionId = extensionId;
    this.#isErased = isErased;
  }

  records(texts: readonly string[]): void | Promise<void> {
    this.received += texts.length;
    for (const text of texts) this.#add(text);
    if (this.#rows.length >= batchSize) return this.#flush();
  }

  problem(messageId: string | undefined, problem: string): void {
    this.problems.push({ messageId: messageId ?? null, problem });
  }

  /** Number of the records that are staged. */
  get size(): number {
    return this.#ord;
  }

  /** Writes the remaining records to the stage, and runs `work` on its connection. */
  async finish<T>(work: (session: Transaction) => Promise<T>): Promise<T> {
    // Without waiting for the service, the connection is needed for a short time only.
    const session = await this.#open({ isLong: false });
    await this.#flush();
    if (this.#ord > analyzedFrom) await session.script('analyze stage_message');
    return work(session);
  }

  /** Releases the connection. */
  async close(): Promise<void> {
    await this.#session?.release();
    this.#session = undefined;
  }

  #add(text: string): void {
    let record: MessageColumns | Tombstone;
    try {
      record = readRecord(text);
    } catch (error) {
      if (!(error instanceof BadRecordError)) throw error;
      this.problem(error.id, error.message);
      return;
    }
    this.#ord += 1;
    const { id, availability } = record;
    if (record.kind === 'tombstone') this.#rows.push(row(this.#ord, 'tombstone', [id, availability]));
    else if (this.#isErased(record)) this.#rows.push(row(this.#ord, 'erased', [id, availability]));
    else this.#rows.push(row(this.#ord, 'message', valuesOf(this.#extensionId, record)));
  }

  async #flush(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    const session = await this.#open({ isLong: true });
    const { place } = this.#db.settings;
    await copyIn(session, { table: 'stage_message', columns: stageColumns, place }, rows);
  }

  async #open(duration: { readonly isLong: boolean }): Promise<Transaction> {
    if (!this.#session) {
      this.#session = await holdSession(this.#db, duration);
      await this.#session.session.script(createStage);
    }
    return this.#session.session;
  }
}

/** A connection that is used for several calls. */
interface LongSession {
  readonly session: Transaction;
  readonly release: () => Promise<void>;
}

/**
 * Takes a connection until `release`.
 * @param isLong whether it is held while the service replies. Such connections do not count toward the limit of the pool:
 * many long replies would otherwise hold all of them, and every other statement would fail after the connection timeout.
 * @throws {StoreError}
 */
export async function holdSession(
  db: Postgres,
  { isLong }: { readonly isLong: boolean } = { isLong: false },
): Promise<LongSession> {
  let free: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    free = resolve;
  });
  let whole: Promise<void> = Promise.resolve();
  const session = await new Promise<Transaction>((resolve, reject) => {
    const work = async (opened: Transaction): Promise<void> => {
      resolve(opened);
      await released;
    };
    whole = isLong ? db.extraSession(work) : db.session(work);
    whole.catch(reject);
  });
  return {
    session,
    async release() {
      free();
      await whole;
    },
  };
}

function row(ord: number, kind: string, values: readonly CopyValue[]): readonly CopyValue[] {
  const given = [ord, kind, ...values];
  if (values.length > 2) return given;
  // A deleted message has only an ID and its availability.
  const required: Readonly<Record<string, CopyValue>> = { media_wanted: 0, raw: '' };
  return [...given, ...stageColumns.slice(given.length).map((name) => required[name] ?? null)];
}

function valuesOf(extensionId: string, record: MessageColumns): readonly CopyValue[] {
  return [
    record.id,
    record.availability,
    record.type,
    record.direction,
    record.readStatus,
    record.messageStatus,
    record.creationTime,
    record.lastModifiedTime,
    record.conversationId,
    record.fromNumber,
    record.fromExtension,
    record.fromName,
    record.toNumbers,
    record.toNames,
    record.subject,
    record.mediaWanted,
    record.attachments,
    keyOf(record),
    fullText(extensionId, record),
    record.raw,
  ];
}
