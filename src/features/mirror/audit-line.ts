import { insertRow } from '../../platform/named-statement.ts';
import type { Database } from '../../platform/sqlite.ts';
import type { AuditEntry } from '../../store/message-store.ts';

/** Adds a line. The table is created with the first one, so that copies of older versions stay unchanged until then. */
export function addAuditLine(db: Database, { action, subject, count, at }: AuditEntry): void {
  db.exec(
    'CREATE TABLE IF NOT EXISTS audit (audit_id INTEGER PRIMARY KEY, at TEXT NOT NULL, action TEXT NOT NULL, subject TEXT NOT NULL, count INTEGER NOT NULL)',
  );
  insertRow(db, 'audit', { at, action, subject, count });
}
