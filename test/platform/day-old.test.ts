import { expect, it, onTestFinished } from 'vitest';
import { dayMilliseconds, dayOldTime, expiryTime } from '../../src/platform/day-old.ts';
import { prepareNamed } from '../../src/platform/named-statement.ts';
import { openDatabase } from '../../src/platform/sqlite.ts';

const now = Date.UTC(2026, 0, 5);

/** The results of the two functions for rows that are this number of days old. */
function timesFor(days: readonly number[]) {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE run (started INTEGER NOT NULL)');
  const add = db.prepare('INSERT INTO run VALUES (?)');
  for (const age of days) add.run(now - age * dayMilliseconds);
  const query = `SELECT ${dayOldTime('run', 'started')} AS dayOld, ${expiryTime('run', 'started', 30 * dayMilliseconds)} AS expired`;
  const row = prepareNamed<{ readonly dayOld: number | null; readonly expired: number | null }>(
    db,
    query,
  ).get({
    now,
  });
  return [row?.dayOld, row?.expired].map((time) =>
    typeof time === 'number' ? (now - time) / dayMilliseconds : time,
  );
}

it.each([
  [[], [null, null]],
  [
    [0, 0.5],
    [null, null],
  ],
  [
    [0, 1, 2],
    [1, 30],
  ],
  // The clock is ahead by 300 days.
  [
    [0, 300, 301],
    [300, 329],
  ],
])('rows of the ages %j expire by a time that is a day old', (days, expected) => {
  expect(timesFor(days)).toEqual(expected);
});
