import type { Queries } from '../../../platform/postgres/postgres.ts';

/** Returns the ID of the archive. @throws {StoreError} */
export async function archiveIdOf(db: Queries): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(
    "select value as id from store_setting where name = 'archive_id'",
  );
  return row?.id;
}
