import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { iterateRows } from '../../../src/platform/sqlite.ts';
import { openReadOnly } from '../../../src/platform/sqlite/read-only.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

it('sync erase deletes the attachments of the number also if another program reads the database', async () => {
  const { run: runIn, sandbox } = await openOffice('administrator');
  const paths = temporaryPaths();
  const run = (line: string) => runIn(line, { paths, now: () => sandbox.clock.now() });
  const from = '+15555551000';
  await sandbox.control('POST', '/triggers/voicemail', { to: '+16505550110', from, seconds: 3 });
  expect((await run('sync --media')).exit).toBe(0);
  const file = join(paths.data, 'mailbox', 'default.sqlite');
  const contents = (): readonly string[] =>
    readdirSync(`${file}.media`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  expect(contents()).toHaveLength(1);
  const reader = openReadOnly(file);
  onTestFinished(() => reader.close());
  const rows = iterateRows(reader, 'SELECT raw FROM message');
  rows.next();
  const { exit, stderr } = await run(`sync erase --phone ${from} --yes`);
  rows.return();
  expect([exit, stderr]).toEqual([
    12,
    expect.stringContaining('because another program is reading the file'),
  ]);
  expect(contents()).toEqual([]);
});
