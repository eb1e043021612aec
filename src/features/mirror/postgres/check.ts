import type { Postgres, Queries } from '../../../platform/postgres/postgres.ts';
import type { Check, CopiedMessage } from '../../../store/message-store.ts';
import type { Stream } from '../../../store/mailbox.ts';
import { counted } from '../../../platform/counted.ts';
import { readRows } from './rows.ts';

const copiedColumns =
  'extension_id as "extensionId", message_id as id, raw, availability, missing_since as "missingSince"';

/**
 * Checks the full-text index and the references between the tables. The server itself checks its files.
 * @throws {StoreError}
 */
export async function checkTables(db: Queries): Promise<readonly Check[]> {
  const [row] = await db.query<{ messages: number; words: number; versions: number; media: number }>(
    `select (select count(*) from message) as messages,
       (select count(*) from message where not words @@ ('''m:' || extension_id || '''')::tsquery) as words,
       (select count(*) from message_version where not exists (select 1 from message where pk = message_pk)) as versions,
       (select count(*) from media where not exists (select 1 from message where pk = message_pk)) as media`,
  );
  const { messages = 0, words = 0, versions = 0, media = 0 } = row ?? {};
  const details = [
    ...(versions > 0 ? [counted(versions, 'older version') + ' without a message'] : []),
    ...(media > 0 ? [counted(media, 'attachment') + ' without a message'] : []),
  ];
  return [
    { check: 'database', checked: 1, wrong: details.length, details },
    {
      check: 'full text',
      checked: messages,
      wrong: words,
      details: words === 0 ? [] : [`${counted(messages, 'message')}, ${words} not indexed`],
    },
  ];
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
