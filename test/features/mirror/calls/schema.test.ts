import { expect, it } from 'vitest';
import { prepareCalls } from '../../../../src/features/mirror/calls/schema.ts';
import type { Database } from '../../../../src/platform/sqlite.ts';
import { newMirror, rows } from '../replies.ts';

it('v_call exists and is empty before calls are copied, with the same columns as afterwards', () => {
  const { db } = newMirror();
  expect(rows(db, 'SELECT * FROM v_call')).toEqual([]);
  const before = columnsOf(db);
  prepareCalls(db);
  expect(columnsOf(db)).toEqual(before);
  expect(before).toContain('duration_seconds');
});

function columnsOf(db: Database): readonly unknown[] {
  return rows(db, "SELECT name FROM pragma_table_info('v_call')").map(({ name }) => name);
}
