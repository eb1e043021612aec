import { describe, expect, it } from 'vitest';
import { assertOnlyReads } from '../../../src/commands/sync/only-reads.ts';

describe('sync sql only reads', () => {
  it.each([
    'select 1',
    ' -- why\n/* and; how */ SELECT 1;',
    'with x as (select 1) select * from x;;',
    'values (1)',
    'explain query plan select 1',
    'pragma table_info(message)',
    'PRAGMA main.table_list;',
    'pragma user_version',
    'select \'a; delete from message\' as "b; c"',
  ])('accepts %s', (statement) => {
    expect(() => assertOnlyReads(statement)).not.toThrow();
  });

  it.each([
    '',
    ';',
    "attach database ':memory:' as o",
    "vacuum into '/tmp/x'",
    'delete from message',
    'create temp table t (a)',
    'begin',
    'pragma query_only = off',
    'pragma journal_mode = delete',
    'pragma wal_checkpoint(truncate)',
    'pragma user_version = 9',
    'pragma user_version(9)',
    'select 1; delete from message',
    '/* unfinished',
  ])('rejects %s', (statement) => {
    expect(() => assertOnlyReads(statement)).toThrow(/sync sql/);
  });
});
