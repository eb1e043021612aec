import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Journal } from '../../../src/features/bulk/index.ts';
import { SentSecrets } from '../../../src/platform/sent-secrets.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const day = 86_400_000;
const today = Date.UTC(2026, 5, 1, 12);

/** A journal with runs of one item each, and the IDs of its runs from the oldest to the newest. */
function openJournal() {
  const folder = temporaryFolder();
  const journal = Journal.open(folder, () => today, new SentSecrets());
  const db = openDatabase(join(folder, 'runs.db'));
  onTestFinished(() => {
    db.close();
    journal.close();
  });
  /** Adds `count` finished runs, the first of which is `days` old; each following run starts a minute later. */
  const add = (name: string, days: number, count: number): void => {
    db.exec(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
      INSERT INTO run (id, kind, title, baseUrl, started, ended, state, detail)
      SELECT '${name}-' || i, 'test', '', '', ${today - days * day} + i * 60000, 1, 'done', '{}' FROM n`);
    db.exec(`INSERT INTO item (run, seq, action, subject, payload, status, attempts)
      SELECT id, 0, '', '', '{}', 'ok', 1 FROM run WHERE id LIKE '${name}-%'`);
  };
  const start = (now = today, detail: Readonly<Record<string, string>> = {}): string =>
    journal.create({ kind: 'test', title: '', baseUrl: '', now, detail, items: [] });
  const ids = (name: string): readonly string[] =>
    journal
      .list()
      .map(({ id }) => id)
      .filter((id) => id.startsWith(name))
      .toReversed();
  const items = (): number => (db.prepare('SELECT count(*) AS n FROM item').get() as { n: number }).n;
  return { journal, db, add, start, ids, items };
}

it('the start of a run deletes the oldest runs that are older than 90 days, ten at a time', () => {
  const { add, start, ids, items } = openJournal();
  add('old', 100, 15);
  add('new', 2, 1000);
  start();
  expect(ids('old')).toEqual(['old-10', 'old-11', 'old-12', 'old-13', 'old-14']);
  start();
  expect([ids('old'), ids('new').length, items()]).toEqual([[], 1000, 1000]);
});

it('the newest 1,000 runs are retained at any age', () => {
  const { add, start, ids } = openJournal();
  add('old', 300, 1002);
  add('new', 2, 1);
  start();
  expect([ids('old').length, ids('old')[0]]).toEqual([999, 'old-3']);
});

it('runs that are at most 90 days old are retained', () => {
  const { add, start, ids } = openJournal();
  add('recent', 89, 5);
  add('new', 2, 1000);
  start();
  expect(ids('recent')).toHaveLength(5);
});

it('runs that are open, or that have an item with an unknown outcome, are retained', () => {
  const { db, add, start, ids } = openJournal();
  add('old', 100, 4);
  add('new', 2, 1000);
  db.exec(`UPDATE run SET state = 'open', ended = NULL WHERE id = 'old-0';
    UPDATE item SET status = 'unknown' WHERE run = 'old-1';
    UPDATE item SET status = 'sent' WHERE run = 'old-2'`);
  start();
  expect(ids('old')).toEqual(['old-0', 'old-1', 'old-2']);
});

it('a clock that is suddenly ahead deletes nothing early', () => {
  const { add, start, ids } = openJournal();
  add('recent', 60, 5);
  add('new', 2, 1000);
  start(today + 365 * day);
  expect(ids('recent')).toHaveLength(5);
});

it('a deletion ends with the run that reaches 5,000 items', () => {
  const { db, add, start, ids } = openJournal();
  add('old', 100, 3);
  add('new', 2, 1000);
  db.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO item (run, seq, action, subject, payload, status, attempts)
    SELECT 'old-0', i, '', '', '{}', 'ok', 1 FROM n`);
  start();
  expect(ids('old')).toEqual(['old-1', 'old-2']);
});

it('a run is retained with its group while the journal has the run that undoes it', () => {
  const { db, add, start, ids } = openJournal();
  add('old', 100, 5);
  add('new', 2, 1000);
  db.exec(`UPDATE run SET detail = '{"partOf":"old-1"}' WHERE id IN ('old-2', 'old-3')`);
  const undo = start(today, { undoes: 'old-2' });
  expect(ids('old')).toEqual(['old-1', 'old-2', 'old-3']);
  start();
  expect(ids('old')).toEqual(['old-1', 'old-2', 'old-3']);
  db.exec(`DELETE FROM run WHERE id = '${undo}'`);
  start();
  expect(ids('old')).toEqual(['old-1']);
  start();
  expect(ids('old')).toEqual([]);
});

it('the first run of a group is retained while the journal has another run of the group', () => {
  const { add, start, ids } = openJournal();
  add('old', 100, 3);
  add('new', 2, 1000);
  start(today, { partOf: 'old-1' });
  start();
  expect(ids('old')).toEqual(['old-1']);
});
