import { expect, it, onTestFinished } from 'vitest';
import { dayMilliseconds } from '../../src/platform/day.ts';
import { expiryTime } from '../../src/platform/day-old.ts';
import { prepareNamed } from '../../src/platform/named-statement.ts';
import { openDatabase } from '../../src/platform/sqlite.ts';

const now = Date.UTC(2026, 0, 5);

/** Returns for rows that are this number of days old how old a row that expires is, in days; null if none expires. */
function expiringAge(days: readonly number[]): number | null | undefined {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE run (started INTEGER NOT NULL)');
  const add = db.prepare('INSERT INTO run VALUES (?)');
  for (const age of days) add.run(now - age * dayMilliseconds);
  const query = `SELECT ${expiryTime('run', 'started', 30 * dayMilliseconds)} AS expired`;
  const expired = prepareNamed<{ readonly expired: number | null }>(db, query).get({ now })?.expired;
  return typeof expired === 'number' ? (now - expired) / dayMilliseconds : expired;
}

it.each([
  [[], null],
  [[0, 0.5], null],
  [[0, 1, 2], 30],
  // The clock is ahead by 300 days.
  [[0, 300, 301], 329],
])('rows of the ages %j expire by a time that is a day old', (days, expected) => {
  expect(expiringAge(days)).toBe(expected);
});
