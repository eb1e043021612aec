import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findResumable, Journal } from '../../../src/features/bulk/index.ts';
import { SentSecrets } from '../../../src/platform/sent-secrets.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { temporaryFolder } from '../../support/temporary.ts';

it('a list counts only the items of the runs that it shows', () => {
  const folder = temporaryFolder();
  const journal = Journal.open(folder, () => 0, new SentSecrets());
  const db = openDatabase(join(folder, 'runs.db'));
  onTestFinished(() => {
    db.close();
    journal.close();
  });
  const items = [1, 2, 3].map((number) => ({ action: 'add', subject: `${number}`, payload: {} }));
  const [first = '', second = '', third = ''] = [1, 2, 3].map((now) =>
    journal.create({ kind: 'test', title: '', baseUrl: '', now, detail: {}, items }),
  );
  journal.mark(third, [0], 'ok');
  expect(journal.list({ limit: 2 })).toMatchObject([
    { id: third, counts: { planned: 2, ok: 1 } },
    { id: second, counts: { planned: 3 } },
  ]);
  expect(journal.list({ isOpen: true, limit: 1 })).toHaveLength(1);
  db.exec('DROP TABLE item');
  expect(journal.heads().map(({ id }) => id)).toEqual([third, second, first]);
});

it('--resume last counts no items, whatever the number of runs', () => {
  const folder = temporaryFolder();
  const journal = Journal.open(folder, () => 0, new SentSecrets());
  const db = openDatabase(join(folder, 'runs.db'));
  onTestFinished(() => {
    db.close();
    journal.close();
  });
  const ctx = {
    settings: { baseUrl: { value: 'https://x.example' }, profile: { value: 'default' } },
  } as Parameters<typeof findResumable>[0];
  const create = (now: number, profile: string, state: 'open' | 'done' | 'abandoned'): string => {
    const baseUrl = 'https://x.example';
    const run = journal.create({ kind: 'test', title: '', baseUrl, now, detail: { profile }, items: [] });
    if (state !== 'open') journal.finish(run, state);
    return run;
  };
  create(1, 'default', 'done');
  const done = create(2, 'default', 'done');
  create(3, 'default', 'abandoned');
  create(4, 'other', 'open');
  db.exec('DROP TABLE item');
  const find = () => findResumable(ctx, journal, 'last', { kind: 'test', what: 'test run' });
  expect(find()).toMatchObject({ id: done, state: 'done' });
  db.prepare("UPDATE run SET state = 'open' WHERE id = ?").run(done);
  expect(find()).toMatchObject({ id: done, state: 'open' });
});
