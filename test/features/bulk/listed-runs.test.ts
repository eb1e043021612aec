import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Journal } from '../../../src/features/bulk/index.ts';
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
