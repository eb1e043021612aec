import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepareCalls } from '../../src/features/mirror/calls/schema.ts';
import { saveExportState } from '../../src/features/mirror/export/state.ts';
import { openMirror } from '../../src/features/mirror/mirror.ts';
import { saveOnDelete } from '../../src/features/mirror/sqlite-deletion-policy.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Returns the names in code in the first column of the table below a heading. */
function namesBelow(heading: string): readonly string[] {
  const section =
    readFileSync('docs/mirror.md', 'utf8').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const cells = [...section.matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

it('docs/mirror.md describes each table and stable view of a local mailbox copy, and no other', () => {
  const db = openMirror(join(temporaryFolder(), 'copy.sqlite'));
  prepareCalls(db);
  // The first use creates these tables.
  saveOnDelete(db, 'keep');
  saveExportState(db, { target: '/x', format: 'csv', filter: '', runId: 1, bytes: 1, file: '1 1' });
  const found = db
    .prepare(
      "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'",
    )
    .all() as { readonly name: string; readonly type: string }[];
  db.close();
  // The full-text index stores its data in tables of its own.
  const names = (type: string): readonly string[] =>
    found.filter((row) => row.type === type && !row.name.startsWith('message_fts_')).map(({ name }) => name);
  expect(namesBelow('Tables').toSorted()).toEqual(names('table').toSorted());
  // The other view is only for the full-text index.
  const stable = names('view').filter((name) => name.startsWith('v_'));
  expect(namesBelow('Views').toSorted()).toEqual(stable.toSorted());
});
