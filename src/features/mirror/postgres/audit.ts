import type { Queries } from '../../../platform/postgres/postgres.ts';
import type { AuditEntry } from '../../../store/message-store.ts';

/** Adds a line to the audit log. @throws {StoreError} */
export async function addAuditLine(
  db: Pick<Queries, 'run'>,
  { action, subject, count, at }: AuditEntry,
): Promise<void> {
  await db.run('insert into audit (machine_time, action, subject, count) values ($1, $2, $3, $4)', [
    at,
    action,
    subject,
    count,
  ]);
}
