import { randomBytes } from 'node:crypto';
import { CommandError, Exit } from '../../errors/command.ts';
import { CachedStatements } from '../../platform/cached-statements.ts';
import { insertRow } from '../../platform/named-statement.ts';
import { transaction, type Database } from '../../platform/sqlite.ts';
import type { Traces } from '../../store/message-store.ts';
import { addAuditLine } from './audit-line.ts';
import { eraseCalls } from './calls/erase-calls.ts';
import { numberHash } from './erased.ts';
import { exportTargets, forgetSearches } from './export/state.ts';
import { MessageTable } from './message-table.ts';

const involved = `SELECT pk FROM message WHERE from_number = ?1 OR (' ' || to_numbers || ' ') LIKE '% ' || ?1 || ' %'`;

/** Searches senders and recipients for a number. */
export function tracesOf(db: Database, number: string): Traces {
  const row = db
    .prepare(
      `SELECT count(*) AS messages, min(creation_time) AS first, max(creation_time) AS last,
       (SELECT count(*) FROM message_version WHERE message_pk IN (${involved})) AS versions,
       (SELECT count(*) FROM media WHERE message_pk IN (${involved})) AS attachments
       FROM message WHERE pk IN (${involved})`,
    )
    .get(number) as Omit<Traces, 'exports' | 'hold'>;
  return { ...row, exports: exportTargets(db), hold: null };
}

/**
 * Removes every message from or to a number with its versions, full text and attachments, and every call with the
 * number, and overwrites the data in the file. Adds a line to the audit log. Stores a salted hash of the number, so
 * that later syncs do not copy such messages again. Afterwards `tidyMedia` must remove the attachment files.
 * @throws {CommandError} `database_busy` (exit 12) if another program reads the file, so that it still contains the data
 */
export function eraseNumber(
  { db, file }: { readonly db: Database; readonly file: string },
  number: string,
  now: number,
): void {
  db.exec('PRAGMA secure_delete = ON');
  transaction(db, () => {
    const rows = db
      .prepare(
        `SELECT pk, extension_id AS extensionId, message_id AS id FROM message WHERE pk IN (${involved})`,
      )
      .all(number) as {
      readonly pk: number;
      readonly extensionId: string;
      readonly id: string;
    }[];
    const dropErrors = db.prepare('DELETE FROM sync_error WHERE extension_id = ? AND message_id = ?');
    for (const { extensionId, id } of rows) dropErrors.run(extensionId, id);
    new MessageTable(new CachedStatements(db), '', 0).remove(rows.map(({ pk }) => pk));
    const count = rows.length + eraseCalls(db, number);
    forgetSearches(db, number);
    const salt = randomBytes(16).toString('hex');
    const erasedAt = new Date(now).toISOString();
    insertRow(db, 'erased', { salt, number_hash: numberHash(salt, number), erased_at: erasedAt });
    // The number itself must not remain in the archive.
    addAuditLine(db, { action: 'erase', subject: 'one phone number', count, at: erasedAt });
    db.exec("INSERT INTO message_fts (message_fts) VALUES ('optimize')");
  });
  db.exec('VACUUM');
  requireOverwritten(db, file);
}

/** Moves the write-ahead log into the file, which overwrites the erased data. SQLite cannot do this while another program reads. */
function requireOverwritten(db: Database, file: string): void {
  const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { readonly busy: number };
  if (busy === 0) return;
  throw new CommandError(
    'database_busy',
    Exit.local,
    `the erased data is still in ${file}, because another program is reading the file`,
    {
      hint: 'close all programs that read the local mailbox copy, and run the command again',
      retryable: true,
    },
  );
}
