import { onTestFinished } from 'vitest';
import { loadSqlite } from '../../src/platform/sqlite/connection.ts';

/** Returns a function with the number of statements that were prepared on databases opened after this call. */
export function countPreparedStatements(): () => number {
  const { DatabaseSync } = loadSqlite('');
  let prepared = 0;
  class CountingDatabase extends DatabaseSync {
    override prepare(sql: string) {
      prepared += 1;
      return super.prepare(sql);
    }
  }
  const original = process.getBuiltinModule.bind(process);
  const counting = (name: string): unknown =>
    name === 'node:sqlite' ? { DatabaseSync: CountingDatabase } : original(name);
  process.getBuiltinModule = counting as typeof process.getBuiltinModule;
  onTestFinished(() => {
    process.getBuiltinModule = original;
  });
  return () => prepared;
}
