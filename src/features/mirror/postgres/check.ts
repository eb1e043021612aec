import type { Postgres, Queries } from '../../../platform/postgres/postgres.ts';
import type { Check, CopiedMessage } from '../../../store/message-store.ts';
import type { Stream } from '../../../store/mailbox.ts';
import { counted } from '../../../platform/counted.ts';
import {
  Differences,
  messageLabel,
  storedRecord,
  type StoredRow,
  storedRowColumns,
  wrongColumns,
} from '../record-check.ts';
import { readRows } from './rows.ts';
import { fullText } from './words.ts';

const copiedColumns =
  'extension_id as "extensionId", message_id as id, raw, availability, missing_since as "missingSince"';

/**
 * Checks the columns and words of each message, and the references between the tables. The server itself checks its files.
 * @throws {StoreError}
 */
export async function checkTables(db: Postgres): Promise<readonly Check[]> {
  const [row] = await db.query<{ versions: number; media: number }>(
    `select (select count(*) from message_version where not exists (select 1 from message where pk = message_pk)) as versions,
       (select count(*) from media where not exists (select 1 from message where pk = message_pk)) as media`,
  );
  const { versions = 0, media = 0 } = row ?? {};
  const [database, words] = [new Differences(), new Differences()];
  if (versions > 0) database.add(counted(versions, 'older version') + ' without a message');
  if (media > 0) database.add(counted(media, 'attachment') + ' without a message');
  const checked = await checkMessages(db, database, words);
  return [database.check('database', checked), words.check('full text', checked)];
}

/** A message with the transaction of its last change. */
type ChangedRow = StoredRow & { readonly pk: number; readonly changed: string };

/** Compares the columns and the words of each message with its record. @returns the number of messages */
async function checkMessages(db: Postgres, columns: Differences, words: Differences): Promise<number> {
  let checked = 0;
  let waiting: { readonly row: ChangedRow; readonly words: string }[] = [];
  const flush = async (): Promise<void> => {
    for (const row of await otherWords(db, waiting)) words.add(`${messageLabel(row)} has other words`);
    waiting = [];
  };
  const sql = `select pk, changed_in::text as changed, ${storedRowColumns} from message order by created_key, message_id`;
  for await (const row of readRows<ChangedRow>(db, sql)) {
    checked += 1;
    const record = storedRecord(row);
    const problem = wrongColumns(row, record);
    if (problem !== undefined) columns.add(problem);
    if (record?.kind === 'message') waiting.push({ row, words: fullText(row.extension_id, record) });
    if (waiting.length >= wordsAtOnce) await flush();
  }
  await flush();
  return checked;
}

/** Number of messages whose words are compared in one statement. */
const wordsAtOnce = 500;

/** Returns the messages that have other words, without those that changed since they were read. */
async function otherWords(
  db: Queries,
  expected: readonly { readonly row: ChangedRow; readonly words: string }[],
): Promise<readonly ChangedRow[]> {
  if (expected.length === 0) return [];
  const found = await db.query<{ pk: number }>(
    `select pk from message join unnest($1::bigint[], $2::text[], $3::text[]) as given (id, changed, expected)
       on pk = given.id and changed_in::text = given.changed where words is distinct from given.expected::tsvector`,
    [
      expected.map(({ row }) => String(row.pk)),
      expected.map(({ row }) => row.changed),
      expected.map(({ words }) => words),
    ],
  );
  const wrong = new Set(found.map(({ pk }) => pk));
  return expected.filter(({ row }) => wrong.has(row.pk)).map(({ row }) => row);
}

/** Returns the copied messages with these IDs. @throws {StoreError} */
export async function copiedMessages(
  db: Queries,
  extensionId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CopiedMessage>> {
  const rows = await db.query<CopiedMessage>(
    `select ${copiedColumns} from message where extension_id = $1 and message_id = any($2::text[])`,
    [extensionId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns random messages that exist on the service, as far as the store knows. @throws {StoreError} */
export function sampleMessages(db: Queries, count: number): Promise<readonly CopiedMessage[]> {
  return db.query<CopiedMessage>(
    `select ${copiedColumns} from message where availability = 'Alive' and missing_since is null order by random() limit $1`,
    [count],
  );
}

/**
 * Returns the IDs of the messages of a stream that exist on the service, as far as the store knows. @throws
 * {StoreError}
 */
export async function* aliveIds(
  db: Postgres,
  { extensionId, messageType, direction, dateFrom }: Stream,
): AsyncGenerator<string, void, undefined> {
  const rows = readRows<{ id: string }>(
    db,
    `select message_id as id from message where extension_id = $1 and ($2::text is null or type = $2)
     and ($3::text is null or direction = $3) and creation_time >= $4 and availability = 'Alive' and missing_since is null`,
    [extensionId, messageType ?? null, direction ?? null, dateFrom],
  );
  for await (const { id } of rows) yield id;
}
