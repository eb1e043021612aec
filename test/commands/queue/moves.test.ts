import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

async function planOf(list: string, flags = '--add-only') {
  const office = await openOffice();
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'moves.csv'), list);
  return office.run(`queue plan -f moves.csv ${flags}`, { cwd });
}

it.each([
  ['Extension,From,To', '103,Support,Sales'],
  ['Agent;From queue;To queue', '103;201;202'],
  ['Name,Ext.,Current Queue,New Queue', 'José Álvarez,103,Support,Sales'],
  ['Extension,Department,From,To', '103,Support,Support,Sales'],
  ['Extension,From,To,Action', '103,Support,Sales,move'],
])('rejects a list of moves between queues with the form to use: %s', async (headings, row) => {
  const { exit, stderr } = await planOf(`${headings}\n${row}\n`);
  expect([exit, stderr]).toEqual([2, expect.stringMatching(/columns "[^"]+" and "[^"]+" describe moves/)]);
  expect(stderr).toContain('write two rows for each move');
  expect([...stderr.matchAll(/--map \S+/g)].map(String)).toEqual(
    headings.includes('Department') ? ["--map 'Department=queue'"] : [],
  );
});

it.each([
  ['queue,extension,action,from,to\n202,103,add,2026-01-01,2026-02-01\n', ''],
  ['extension,from,to\n103,Support,Sales\n', '--add-only --map to=queue'],
  ['extension,202 Sales,from,to\n103,x,2026-01-01,2026-02-01\n', '--add-only'],
])('reads a list with a column of queues: %j %s', async (list, flags) => {
  const { exit, stdout } = await planOf(list, `${flags} -o csv --fields action,queue,extension`);
  expect([exit, stdout]).toEqual([0, 'action,queue,extension\r\nadd,202,103\r\n']);
});
