import type { Message } from '../../../contract/message.ts';
import { parseJson } from '../../../platform/json.ts';
import type { Postgres, Queries } from '../../../platform/postgres/postgres.ts';
import { storeLock } from '../../../platform/postgres/store-lock.ts';
import type { MissingMedia, SavedMedia, SaveResult } from '../../../store/message-store.ts';
import { wantedAttachments } from '../record.ts';
import { erasureLock } from './exclusions.ts';

/** Selects the messages whose attachments the service still has. */
const available = `availability = 'Alive' and missing_since is null`;

/** Maximum number of rows in memory at the same time. */
const some = 1000;

/** Maximum idle time of a transaction that waits for a request to the media store, which may take a minute. */
const requestMilliseconds = 120_000;

/** Yields the attachments of a mailbox that are not copied, oldest message first. @throws {StoreError} */
export async function* missingMedia(
  db: Postgres,
  extensionId: string,
): AsyncGenerator<MissingMedia, void, undefined> {
  let after: readonly [number, number] = [-1, -1];
  for (;;) {
    const rows = await db.query<{ pk: number; key: number; raw: string; have: readonly string[] }>(
      `select pk, created_key as key, raw, array(select attachment_id from media where message_pk = pk) as have from message
       where media_wanted > 0 and extension_id = $1 and (created_key, pk) > ($2, $3) and ${available}
       and media_wanted > (select count(*) from media where message_pk = pk) order by created_key, pk limit ${some}`,
      [extensionId, ...after],
    );
    for (const { pk, key, raw, have } of rows) {
      const message = parseJson(raw) as Partial<Message>;
      for (const { id, uri, contentType, fileName, size } of wantedAttachments(message)) {
        if (!have.includes(id)) yield { pk, id, uri, contentType, fileName, size };
      }
      after = [key, pk];
    }
    if (rows.length < some) return;
  }
}

/**
 * Waits until no other process stores a row for content or deletes the content, until the end of the transaction
 * (docs/adr/0126-one-copier-of-attachments.md). The parameter is the hash.
 */
export const contentLock = `${storeLock("'content ' || $1")}, set_config('idle_in_transaction_session_timeout', '${requestMilliseconds}', true)`;

/**
 * Stores the row of a copied attachment if its message needs it, within the transaction of the caller. Otherwise, its
 * content becomes garbage. @throws {StoreError}
 */
export async function saveMedia(
  transaction: Queries,
  { pk, id, contentType, fileName, bytes, sha256 }: SavedMedia,
  isStored: () => Promise<boolean>,
): Promise<SaveResult> {
  await transaction.query(contentLock, [sha256]);
  if (!(await isStored())) return 'content deleted';
  // Replies remove messages while they have the lock of the mailbox, and erasures have their own lock.
  await transaction.query(
    'select 1 from mailbox where extension_id = (select extension_id from message where pk = $1) for key share',
    [pk],
  );
  await transaction.query(erasureLock);
  const saved = await transaction.run(
    `insert into media (message_pk, attachment_id, content_type, file_name, bytes, sha256)
     select pk, $2, $3, $4, $5::bigint, $6 from message where pk = $1 and media_wanted > 0
     on conflict (message_pk, attachment_id) do update set content_type = excluded.content_type, file_name = excluded.file_name,
       bytes = excluded.bytes, sha256 = excluded.sha256`,
    [pk, id, contentType ?? null, fileName ?? null, bytes, sha256],
  );
  if (saved > 0) return 'saved';
  await addGarbage(transaction, sha256);
  return 'not needed';
}

/**
 * Deletes the rows of missing, damaged or unreadable content whose messages the service still has, and the content with `remove`,
 * within the transaction of the caller. Returns the number of rows of the mailbox if there are no such rows, and otherwise
 * 0. @throws {StoreError}
 */
export async function forgetMedia(
  transaction: Queries,
  { sha256, extensionId }: { readonly sha256: string; readonly extensionId: string },
  remove: () => Promise<void>,
): Promise<number> {
  await transaction.query(contentLock, [sha256]);
  const [rows] = await transaction.query<{ own: string; available: string }>(
    `select count(*) filter (where extension_id = $2) as own, count(*) filter (where ${available}) as available
     from media join message on pk = message_pk where sha256 = $1`,
    [sha256, extensionId],
  );
  if (rows === undefined || Number(rows.available) === 0) return Number(rows?.own ?? 0);
  await remove();
  await transaction.run(
    `delete from media where sha256 = $1 and message_pk in (select pk from message where ${available})`,
    [sha256],
  );
  return 0;
}

/**
 * Deletes content of the garbage list with `remove` if no row uses it, and removes it from the list, within the
 * transaction of the caller. @throws {StoreError}
 */
export async function deleteGarbage(
  transaction: Queries,
  sha256: string,
  remove: () => Promise<void>,
): Promise<void> {
  await transaction.query(contentLock, [sha256]);
  // Until the commit, transactions that add the content to the list wait here.
  if ((await transaction.run('delete from media_garbage where sha256 = $1', [sha256])) === 0) return;
  // A transaction that deletes a row adds its content to the list afterwards. If it has already deleted the row, it may
  // have found the content on the list. Such rows are skipped, and the content stays on the list.
  const used = await transaction.query(
    'select 1 from media where sha256 = $1 limit 1 for share skip locked',
    [sha256],
  );
  if (used.length > 0) return;
  const locked = await transaction.query('select 1 from media where sha256 = $1 limit 1', [sha256]);
  if (locked.length > 0) await addGarbage(transaction, sha256);
  else await remove();
}

async function addGarbage(transaction: Queries, sha256: string): Promise<void> {
  await transaction.run('insert into media_garbage (sha256) values ($1) on conflict do nothing', [sha256]);
}

/** Returns the hashes of all copied attachments, or of the attachments of one mailbox. @throws {StoreError} */
export async function* mediaHashes(
  db: Postgres,
  extensionId: string | undefined,
): AsyncGenerator<string, void, undefined> {
  let after = '';
  for (;;) {
    const rows = await db.query<{ sha256: string }>(
      `select distinct sha256 from media where sha256 > $1
       and ($2::text is null or message_pk in (select pk from message where extension_id = $2)) order by sha256 limit ${some}`,
      [after, extensionId ?? null],
    );
    for (const { sha256 } of rows) yield sha256;
    after = rows.at(-1)?.sha256 ?? after;
    if (rows.length < some) return;
  }
}
