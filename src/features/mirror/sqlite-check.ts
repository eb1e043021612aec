import type { Stream } from '../../store/mailbox.ts';
import type { Check, CopiedMessage } from '../../store/message-store.ts';
import { iterateRows, rollBack, type Database } from '../../platform/sqlite.ts';
import { integrityProblems } from '../../platform/sqlite/integrity.ts';
import { Differences, messageLabel, type StoredRow, storedRowColumns, wrongColumns } from './record-check.ts';
import { wordTokenizer } from './schema.ts';

/** Maximum number of problems that the integrity check counts. */
const maxProblems = 100;
const copiedColumns =
  'extension_id AS extensionId, message_id AS id, raw, availability, missing_since AS missingSince';

/**
 * Checks the structure of the file, the columns of each message, and whether the full-text index contains their words.
 * @throws {DatabaseError} if the disk cannot read the file
 */
export function checkDatabase(db: Database, file: string): readonly Check[] {
  const database = new Differences();
  for (const problem of integrityProblems(db, file, maxProblems)) database.add(problem);
  if (database.wrong > 0) {
    // Reads of a damaged file may fail.
    const words = new Differences();
    words.add('not compared, because the database is damaged');
    return [{ ...database.check('database', 0), damagedFile: file }, words.check('full text', 0)];
  }
  const { query_only: isQueryOnly } = db.prepare('PRAGMA query_only').get() as {
    readonly query_only: number;
  };
  // Temporary tables are not in the file, which may be open for reading only.
  db.exec('PRAGMA query_only = OFF; BEGIN');
  try {
    const checked = checkColumns(db, database);
    return [database.check('database', checked), checkWords(db).check('full text', checked)];
  } finally {
    rollBack(db);
    db.exec(`PRAGMA query_only = ${isQueryOnly}`);
  }
}

/** Compares the columns of each message with its record. @returns the number of messages */
function checkColumns(db: Database, differences: Differences): number {
  let checked = 0;
  for (const row of iterateRows<StoredRow>(db, `SELECT ${storedRowColumns} FROM message ORDER BY pk`)) {
    checked += 1;
    const problem = wrongColumns(row);
    if (problem !== undefined) differences.add(problem);
  }
  return checked;
}

/** Compares the full-text index with an index that is made from the columns. The comparison of SQLite needs write access. */
function checkWords(db: Database): Differences {
  db.exec(`
    CREATE VIRTUAL TABLE temp.expected_words USING fts5 (
      subject, sender, recipients, marks, content = '', tokenize = '${wordTokenizer}'
    );
    CREATE VIRTUAL TABLE temp.expected_terms USING fts5vocab (temp, expected_words, instance);
    INSERT INTO temp.expected_words (rowid, subject, sender, recipients, marks)
      SELECT pk, subject, sender, recipients, marks FROM main.message_words;`);
  const [found, expected] = ['main.message_terms', 'temp.expected_terms'].map(
    (terms) => `SELECT term, doc, col, offset FROM ${terms}`,
  );
  const rows = iterateRows<{
    readonly doc: number;
    readonly extension_id: string | null;
    readonly message_id: string;
  }>(
    db,
    `SELECT doc, extension_id, message_id FROM
       (SELECT doc FROM (${found} EXCEPT ${expected}) UNION SELECT doc FROM (${expected} EXCEPT ${found}))
     LEFT JOIN main.message ON pk = doc ORDER BY doc`,
  );
  const differences = new Differences();
  for (const { doc, extension_id, message_id } of rows)
    differences.add(
      extension_id === null
        ? `the index has words of a message that does not exist (key ${doc})`
        : `${messageLabel({ extension_id, message_id })} has other words`,
    );
  return differences;
}

/**
 * Writes the full-text index again if it differs from the columns, within the transaction of the caller. The comparison
 * writes nothing. @returns whether it differed
 */
export function repairIndex(db: Database): boolean {
  try {
    db.exec("INSERT INTO message_fts (message_fts, rank) VALUES ('integrity-check', 1)");
    return false;
  } catch {
    // A file that is damaged elsewhere also fails here.
    db.exec("INSERT INTO message_fts (message_fts) VALUES ('rebuild')");
    return true;
  }
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
