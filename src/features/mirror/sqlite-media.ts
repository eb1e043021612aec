import { insertRow, prepareNamed } from '../../platform/named-statement.ts';
import { parseJson } from '../../platform/json.ts';
import type { Message } from '../../contract/message.ts';
import type { MissingMedia, SavedMedia, SaveResult } from '../../store/message-store.ts';
import type { Database } from '../../platform/sqlite.ts';
import { wantedAttachments } from './record.ts';

/** Selects the messages whose attachments the service still has. */
const available = `availability = 'Alive' AND missing_since IS NULL`;

/** Maximum number of rows in memory at the same time, because a mailbox can have a million attachments. */
const some = 1000;

/**
 * Yields the attachments that are not copied yet, oldest message first. Several workers share the generator; each takes
 * the next attachment.
 */
export function* missingMedia(db: Database, extensionId: string): Generator<MissingMedia, void, undefined> {
  const have = db.prepare('SELECT 1 AS n FROM media WHERE message_pk = ? AND attachment_id = ?');
  const next = db.prepare(
    `SELECT pk, raw FROM message WHERE media_wanted > 0 AND pk > ? AND extension_id = ? AND ${available}
     AND media_wanted > (SELECT count(*) FROM media WHERE message_pk = pk) ORDER BY pk LIMIT ${some}`,
  );
  let after = 0;
  for (;;) {
    const rows = next.all(after, extensionId) as { readonly pk: number; readonly raw: string }[];
    for (const { pk, raw } of rows) {
      const message = parseJson(raw) as Partial<Message>;
      for (const { id, uri, contentType, fileName, size } of wantedAttachments(message)) {
        if (have.get(pk, id) === undefined) yield { pk, id, uri, contentType, fileName, size };
      }
      after = pk;
    }
    if (rows.length < some) return;
  }
}

/** Stores the row of a copied attachment if its message needs it. Otherwise, its content becomes garbage. */
export function saveMedia(
  db: Database,
  { pk, id, contentType, fileName, bytes, sha256 }: SavedMedia,
): SaveResult {
  const { changes } = prepareNamed(
    db,
    `INSERT OR REPLACE INTO media (message_pk, attachment_id, content_type, file_name, bytes, sha256)
     SELECT pk, :id, :contentType, :fileName, :bytes, :sha256 FROM message WHERE pk = :pk AND media_wanted > 0`,
  ).run({ pk, id, contentType: contentType ?? null, fileName: fileName ?? null, bytes, sha256 });
  if (changes > 0) return 'saved';
  insertRow(db, 'media_garbage', { sha256 }, 'IGNORE');
  return 'not needed';
}

/**
 * Deletes the rows of missing, damaged or unreadable content whose messages the service still has, and the content with `remove`.
 * Returns the number of rows of the mailbox if there are no such rows, and otherwise 0.
 */
export async function forgetMedia(
  db: Database,
  { sha256, extensionId }: { readonly sha256: string; readonly extensionId: string },
  remove: () => Promise<void>,
): Promise<number> {
  const rows = prepareNamed<{ readonly own: number; readonly available: number }>(
    db,
    `SELECT count(*) FILTER (WHERE extension_id = :extensionId) AS own, count(*) FILTER (WHERE ${available}) AS available
     FROM media JOIN message ON pk = message_pk WHERE sha256 = :sha256`,
  ).get({ sha256, extensionId });
  if (rows === undefined || rows.available === 0) return rows?.own ?? 0;
  await remove();
  // EXISTS reads only the messages of these rows. With IN, SQLite reads the whole table.
  db.prepare(
    `DELETE FROM media WHERE sha256 = ? AND EXISTS (SELECT 1 FROM message WHERE pk = message_pk AND ${available})`,
  ).run(sha256);
  return 0;
}

/** Deletes content of the garbage list with `remove` if no row uses it, and removes it from the list. */
export async function deleteGarbage(
  db: Database,
  sha256: string,
  remove: () => Promise<void>,
): Promise<void> {
  // The list may have been read in a transaction that was undone.
  const listed = prepareNamed<{ readonly isUsed: number }>(
    db,
    'SELECT EXISTS (SELECT 1 FROM media WHERE sha256 = :sha256) AS isUsed FROM media_garbage WHERE sha256 = :sha256',
  ).get({ sha256 });
  if (listed === undefined) return;
  if (listed.isUsed === 0) await remove();
  db.prepare('DELETE FROM media_garbage WHERE sha256 = ?').run(sha256);
}

/**
 * Yields the hashes of all copied attachments, or of the attachments of one mailbox. Rows may be deleted during the
 * iteration.
 */
export function* mediaHashes(
  db: Database,
  extensionId: string | undefined,
): Generator<string, void, undefined> {
  const next = db.prepare(
    `SELECT DISTINCT sha256 FROM media WHERE sha256 > ?1
     AND (?2 IS NULL OR message_pk IN (SELECT pk FROM message WHERE extension_id = ?2))
     ORDER BY sha256 LIMIT ${some}`,
  );
  let after = '';
  for (;;) {
    const rows = next.all(after, extensionId ?? null) as { readonly sha256: string }[];
    for (const { sha256 } of rows) yield sha256;
    after = rows.at(-1)?.sha256 ?? after;
    if (rows.length < some) return;
  }
}
