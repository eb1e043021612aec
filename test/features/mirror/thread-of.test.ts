import { describe, expect, it } from 'vitest';
import { threadOf } from '../../../src/features/mirror/export/row.ts';
import { threadOf as threadInStore } from '../../../src/features/mirror/postgres/export.ts';
import type { Postgres } from '../../../src/store/index.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { newMirror, noting, rows } from './replies.ts';

describe('the thread of one message', () => {
  it('is found with the index in SQLite', () => {
    const { db } = newMirror();
    const { noted, statements } = noting(db);
    expect(threadOf(noted, '101', '1')).toBeUndefined();
    const values = ['101', '1'];
    const plan = statements.flatMap((sql) => rows(db, `EXPLAIN QUERY PLAN ${sql}`, ...values));
    const steps = plan.map(({ detail }) => String(detail));
    expect(steps).toContainEqual(
      expect.stringMatching(/^SEARCH message USING INDEX \S+ \(extension_id=\? AND message_id=\?\)$/),
    );
    expect(steps).not.toContainEqual(expect.stringMatching(/^SCAN message\b/));
  });

  it.skipIf(postgresMissing())('is found with the index in PostgreSQL', async () => {
    const { db } = await testStore();
    const plan = await db.transaction(async (transaction) => {
      await transaction.script('set local enable_seqscan = off');
      const explained: string[] = [];
      const explain = {
        query: async (sql: string, values: readonly string[]) => {
          const found = await transaction.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, values);
          explained.push(...found.map((line) => line['QUERY PLAN']));
          return [];
        },
      };
      expect(await threadInStore(explain as unknown as Postgres, '101', '1')).toBeUndefined();
      return explained.join('\n');
    });
    expect(plan).toMatch(/Index Cond: \(\(extension_id = ANY .*\) AND \(message_id = '1'::text\)\)/);
  });
});
