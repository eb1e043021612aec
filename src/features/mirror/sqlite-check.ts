import type { Stream } from '../../store/mailbox.ts';
import type { Check, CopiedMessage } from '../../store/message-store.ts';
import { counted } from '../../platform/counted.ts';
import { iterateRows, type Database } from '../../platform/sqlite.ts';
import { integrityProblems } from '../../platform/sqlite/integrity.ts';

const shown = 20;
/** Maximum number of problems that the integrity check counts. */
const maxProblems = 100;
const copiedColumns =
  'extension_id AS extensionId, message_id AS id, raw, availability, missing_since AS missingSince';

/**
 * Checks the structure of the file and whether the full-text index contains every message.
 * @throws {DatabaseError} if the disk cannot read the file
 */
export function checkDatabase(db: Database, file: string): readonly Check[] {
  const problems = integrityProblems(db, file, maxProblems);
  const { rows, words } = db
    .prepare(
      'SELECT (SELECT count(*) FROM message) AS rows, (SELECT count(*) FROM message_fts_docsize) AS words',
    )
    .get() as { readonly rows: number; readonly words: number };
  return [
    { check: 'database', checked: 1, wrong: problems.length, details: problems.slice(0, shown) },
    {
      check: 'full text',
      checked: rows,
      wrong: Math.abs(rows - words),
      details: rows === words ? [] : [`${counted(rows, 'message')}, ${words} indexed`],
    },
  ];
}

/** Returns the copied messages with these IDs. */
export function copiedMessages(
  db: Database,
  extensionId: string,
  ids: readonly string[],
): ReadonlyMap<string, CopiedMessage> {
  const rows = db
    .prepare(
      `SELECT ${copiedColumns} FROM message WHERE extension_id = ? AND message_id IN (SELECT value FROM json_each(?))`,
    )
    .all(extensionId, JSON.stringify(ids)) as CopiedMessage[];
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns random messages that still exist on the service according to the mirror. */
export function sampleMessages(db: Database, count: number): readonly CopiedMessage[] {
  return db
    .prepare(
      `SELECT ${copiedColumns} FROM message WHERE pk IN
       (SELECT pk FROM message WHERE availability = 'Alive' AND missing_since IS NULL ORDER BY random() LIMIT ?)`,
    )
    .all(count);
}

/** Returns the IDs of the messages of a stream that still exist on the service according to the mirror. */
export function* aliveIds(
  db: Database,
  { extensionId, messageType, direction, dateFrom }: Stream,
): Generator<string> {
  const rows = iterateRows<{ readonly id: string }>(
    db,
    `SELECT message_id AS id FROM message WHERE extension_id = ? AND type = coalesce(?, type)
     AND coalesce(direction, '') = coalesce(?, direction, '') AND creation_time >= ?
     AND availability = 'Alive' AND missing_since IS NULL`,
    [extensionId, messageType ?? null, direction ?? null, dateFrom],
  );
  for (const { id } of rows) yield id;
}
