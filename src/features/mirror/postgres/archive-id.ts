import type { Queries } from '../../../platform/postgres/postgres.ts';
import { archiveIdStep, type ArchiveSchema } from './schema-steps.ts';

/** Returns the ID of the archive; undefined if the store lacks the step that creates the ID. @throws {StoreError} */
export async function archiveIdOf(db: Queries, schema: ArchiveSchema): Promise<string | undefined> {
  if (schema < archiveIdStep) return undefined;
  const [row] = await db.query<{ id: string }>(
    "select value as id from store_setting where name = 'archive_id'",
  );
  return row?.id;
}
