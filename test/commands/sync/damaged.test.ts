import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMirror } from '../../../src/features/mirror/mirror.ts';
import { shellQuoted } from '../../../src/platform/shell-quoted.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runUcctl } from '../../support/run-ucctl.ts';

/** A mailbox copy in which one word of the stored schema was hit: still a database, and the statements of ucctl no longer fit it. */
function damagedCopy(word: string, other: string): string {
  const file = join(temporaryFolder(), 'copy.sqlite');
  const db = openMirror(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;');
  db.close();
  const bytes = readFileSync(file).toString('latin1');
  expect(bytes.includes(word)).toBe(true);
  writeFileSync(file, Buffer.from(bytes.replaceAll(word, other), 'latin1'));
  return file;
}

describe('a mailbox copy whose schema is damaged', () => {
  it.each([
    // An index needs this column, so that SQLite itself finds the schema malformed.
    ['sync search hello', '  availability TEXT', '  availabilitx TEXT'],
    ['sync status', '  availability TEXT', '  availabilitx TEXT'],
    ['sync export --format csv --to messages.csv', '  availability TEXT', '  availabilitx TEXT'],
    // SQLite only misses these columns in a statement: "no such column".
    ['sync search hello', '  subject TEXT', '  subjecx TEXT'],
    ['sync status', '  name TEXT', '  namx TEXT'],
    ['sync export --format csv --to messages.csv', '  read_status TEXT', '  read_statux TEXT'],
  ])('%s names the file as damaged without the column %j', async (command, word, other) => {
    const file = damagedCopy(word, other);
    const cwd = temporaryFolder();
    const { exit, stderr } = await runUcctl(`${command} --database ${file}`, { cwd });
    expect([exit, stderr]).toEqual([
      12,
      expect.stringContaining(`cannot use the database ${file}: the file is damaged`),
    ]);
    expect(stderr).not.toContain('no such column');
  });

  it('an invalid SQL statement on an intact copy is reported as such', async () => {
    const file = join(temporaryFolder(), 'copy.sqlite');
    openMirror(file).close();
    const { exit, stderr } = await runUcctl([
      'sync',
      'sql',
      'select nope from v_message',
      '--database',
      file,
    ]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('no such column: nope')]);
  });
});

/** A mailbox copy with damage in a page of an index. The schema is intact. */
function copyWithDamagedPage(): string {
  const file = join(temporaryFolder(), 'copy.sqlite');
  const db = openMirror(file);
  const { page } = db
    .prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'message_by_type'")
    .get() as {
    readonly page: number;
  };
  db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;');
  db.close();
  const bytes = readFileSync(file);
  bytes.fill(0xff, (page - 1) * 4096, (page - 1) * 4096 + 1);
  writeFileSync(file, bytes);
  return file;
}

it.skipIf(process.platform !== 'linux').each([
  ['reports a damaged page as a difference', false, 11, 'copy_differs'],
  ['does not report damage if the disk cannot read the copy', true, 12, 'database_unreadable'],
])('sync verify %s', async (_, isUnreadable, exit, code) => {
  const file = copyWithDamagedPage();
  // Reading this file of Linux fails with EIO.
  if (isUnreadable) symlinkSync('/proc/self/mem', `${file}-wal`);
  const result = await runUcctl(`sync verify --sample 0 -o json --database ${file}`);
  expect(result).toMatchObject({ exit, stderr: expect.stringContaining(`"code":"${code}"`) });
});

it('sync verify of a damaged page counts no checked messages, and does not advise a repair by sync', async () => {
  const file = copyWithDamagedPage();
  const { exit, stdout, stderr } = await runUcctl(`sync verify --sample 0 -o json --database ${file}`);
  expect([exit, JSON.parse(stdout)]).toMatchObject([
    11,
    [
      { check: 'database', checked: 0, details: expect.anything() },
      { check: 'full text', checked: 0, wrong: 1 },
      { check: 'attachments' },
    ],
  ]);
  const { error } = JSON.parse(stderr) as { readonly error: { readonly hint: string } };
  expect(error.hint).toContain('sync cannot repair a damaged file: restore it from a backup, or rename');
  expect(error.hint).toContain(`mv ${shellQuoted(file)}$end`);
  expect(error.hint).toMatch(/still has: ucctl sync$/);
  expect(error.hint).not.toContain('--full');
});
