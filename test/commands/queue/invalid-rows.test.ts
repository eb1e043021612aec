import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWorkbook } from '../../../src/features/bulk/workbook/read-workbook.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { workbook } from '../../support/workbook.ts';
import { openOffice, type Office } from '../office.ts';

function desk(files: Readonly<Record<string, string | Uint8Array>>) {
  const cwd = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  return { cwd, paths: temporaryPaths(), read: (name: string) => readFileSync(join(cwd, name)) };
}

const writes = (office: Office): number => office.requests().filter((line) => !line.startsWith('GET')).length;

/** One list for each command that reads lists, with one bad name among good rows. */
const lists = [
  ['queue assign -f list.csv', 'queue,extension,action\n201,999,add\n201,105,add\n'],
  ['queue apply -f list.csv', 'queue,extension,action\n201,999,add\n201,105,add\n'],
  ['presence set -f list.csv', 'extension,message\n999,lunch\n105,lunch\n'],
  ['sms send -f list.csv --template Hello', 'to\n12\n+16505550199\n'],
] as const;

describe('a bad name among good rows', () => {
  it.each(lists)(
    '%s sends nothing (exit 2); with --skip-invalid it sends the good rows (exit 8)',
    async (command, list) => {
      const office = await openOffice(command.startsWith('sms') ? '101' : 'administrator');
      const at = desk({ 'list.csv': list });
      office.requests();
      const strict = await office.run(`${command} --yes`, at);
      expect([strict.exit, strict.stdout, writes(office)]).toEqual([2, '', 0]);
      expect(strict.stderr).toContain('error: 1 problem in the list\n  list.csv, line 2,');
      expect(strict.stderr).toContain('or skip these rows with --skip-invalid; nothing was sent');
      const skipped = await office.run(`${command} --yes --skip-invalid --results out.csv`, at);
      expect([skipped.exit, writes(office)]).toEqual([8, 1]);
      expect(skipped.stderr).toContain('! list.csv, line 2,');
      const [, bad, good] = at.read('out.csv').toString('utf8').split('\n');
      expect([bad, good]).toEqual([
        expect.stringMatching(/,skipped,/),
        expect.stringMatching(/,(added|changed|sent),/),
      ]);
    },
  );

  it('queue plan: no plan is saved (exit 2); with --skip-invalid it is the plan of the good rows (exit 8)', async () => {
    const office = await openOffice();
    const at = desk({ 'list.csv': lists[0][1] });
    const plan = 'queue plan -f list.csv --plan-out plan.json --fields action,extension';
    const strict = await office.run(plan, at);
    expect([strict.exit, strict.stdout]).toEqual([2, '']);
    const skipped = await office.run(`${plan} --skip-invalid`, at);
    expect([skipped.exit, skipped.stdout]).toEqual([8, 'add\t105\nskipped\t999\n']);
    expect(skipped.stderr).toContain('1 row was skipped');
  });

  it('a cell that cannot be read is skipped in the same way, and then no agent is removed', async () => {
    const office = await openOffice();
    const at = desk({ 'list.csv': 'queue,extension\n201,102\n201,1E+5\n' });
    expect((await office.run('queue apply -f list.csv --exact --yes', at)).exit).toBe(2);
    const skipped = await office.run('queue apply -f list.csv --exact --yes --skip-invalid', at);
    expect([skipped.exit, writes(office)]).toEqual([8, 0]);
    expect(skipped.stderr).toContain('ucctl removes no agents, because the list has invalid rows');
  });

  it('a contradiction among invalid rows is marked as the problem that --skip-invalid cannot skip', async () => {
    const office = await openOffice();
    const bad = '201,1E+5,add\n'.repeat(25);
    const contradiction = '201,105,add\n201,105,remove\n';
    const mark = '(--skip-invalid skips only problems of single rows, and not this one)';
    for (const rows of [`201,999,add\n${contradiction}`, `${bad}${contradiction}`]) {
      const at = { ...desk({}), stdin: `queue,extension,action\n${rows}` };
      const { exit, stderr } = await office.run('queue apply -f - --yes --skip-invalid', at);
      expect(exit).toBe(2);
      expect(stderr.match(/^.*only problems of single rows.*$/gmu)).toEqual([
        expect.stringContaining(
          `Chris Smith (105) cannot be both added to and removed from Support (201) ${mark}`,
        ),
      ]);
      expect(stderr).toContain('fix the list (with --skip-invalid, only the marked problems) and run');
    }
    expect(writes(office)).toBe(0);
  });

  it('a list without a valid row, with contradictions or without headings is rejected anyway', async () => {
    const office = await openOffice();
    const run = (stdin: string) =>
      office.run('queue apply -f - --yes --skip-invalid', { ...desk({}), stdin });
    office.requests();
    for (const list of [
      'queue,extension,action\n201,999,add\n',
      'queue,extension,action\n201,105,add\n201,105,remove\n',
      'a,b,c\n201,105,remove\n',
      'queue,extension,action\n201,106,add\n201,"105,add\n',
    ]) {
      const { exit, stderr } = await run(list);
      expect([exit, stderr.includes('--skip-invalid')]).toEqual([2, false]);
    }
    expect(writes(office)).toBe(0);
  });
});

describe('many problems', () => {
  const many = `queue,extension,action\n${'201,1E+5,add\n'.repeat(10_000)}`;

  it('are cut after 20, and --errors writes all of them as CSV, NDJSON or .xlsx', async () => {
    const office = await openOffice();
    const at = desk({ 'list.csv': many });
    const { exit, stderr } = await office.run('queue apply -f list.csv --yes', at);
    expect(exit).toBe(2);
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      'error: 10,000 problems in the list',
      expect.stringContaining('list.csv, line 2, column extension: "1E+5" was probably changed'),
      expect.stringContaining('list.csv, line 3,'),
    ]);
    expect(stderr).toContain('… and 9,980 more: use --errors FILE to write all problems to a file\n');
    const run = (file: string) => office.run(`queue apply -f list.csv --yes --errors ${file}`, at);
    expect((await run('bad.csv')).stderr).toContain('… and 9,980 more: all problems are in bad.csv\n');
    const csv = at.read('bad.csv').toString('utf8').trim().split('\r\n');
    expect([csv.length, csv[0], csv[10_000]]).toEqual([
      10_001,
      'file,line,column,problem,details',
      'list.csv,10001,extension,"""1E+5"" was probably changed by a spreadsheet; format the column as text",',
    ]);
    writeFileSync(join(at.cwd, 'list.csv'), many.split('\n', 31).join('\n'));
    await run('bad.ndjson');
    const [first = ''] = at.read('bad.ndjson').toString('utf8').split('\n');
    expect(JSON.parse(first)).toMatchObject({ file: 'list.csv', line: 2, column: 'extension' });
    await run('bad.xlsx');
    const { rows } = await readWorkbook(at.read('bad.xlsx'), 'Errors');
    expect([rows.length, rows[1]?.cells.slice(0, 3)]).toEqual([31, ['list.csv', '2', 'extension']]);
  });

  it('of a list without problems leave a file without rows', async () => {
    const office = await openOffice();
    const at = desk({ 'list.csv': 'queue,extension,action\n201,105,add\n', 'bad.csv': 'old' });
    expect((await office.run('queue plan -f list.csv --errors bad.csv', at)).exit).toBe(0);
    expect(at.read('bad.csv').toString('utf8')).toBe('file,line,column,problem,details\r\n');
  });

  it('of a list that is too long are one problem', async () => {
    const office = await openOffice();
    const stdin = `queue,extension,action\n${'201,105,add\n'.repeat(100_001)}`;
    const { exit, stderr } = await office.run('queue plan -f -', { ...desk({}), stdin });
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('the list has 100,001 rows, but at most 100,000 are allowed; split it'),
    ]);
  });
});

describe('an .xlsx list', () => {
  const rows = [
    ['Queue', 'Ext.', 'Action', 'Note'],
    ['Support', 105, 'add', '=1+1'],
    ['Support', 102, 'add', null],
  ];

  it('has results as .xlsx, which can be used as a list again', async () => {
    const office = await openOffice();
    const at = desk({ 'list.xlsx': await workbook(rows) });
    const apply = (list: string, results: string) =>
      office.run(`queue apply -f ${list} --yes --results ${results}`, at);
    expect((await apply('list.xlsx', 'done.xlsx')).exit).toBe(0);
    const { rows: done } = await readWorkbook(at.read('done.xlsx'), 'Results');
    expect(done.map(({ cells }) => cells.slice(0, 6))).toEqual([
      ['Queue', 'Ext.', 'Action', 'Note', 'result status', 'result action'],
      ['Support', '105', 'add', '=1+1', 'added', 'add'],
      ['Support', '102', 'add', '', 'unchanged', 'add'],
    ]);
    expect((await apply('done.xlsx', 'again.csv')).exit).toBe(0);
    expect(at.read('again.csv').toString('utf8').split('\r\n')[1]).toMatch(
      /^Support,105,add,'=1\+1,unchanged,/,
    );
  });

  it('is read from --sheet NAME by every command with lists', async () => {
    const office = await openOffice();
    const at = desk({
      'list.xlsx': await workbook([
        ['Ext.', 'Message'],
        [105, 'lunch'],
      ]),
    });
    const wrong = await office.run('presence set -f list.xlsx --sheet Other --yes', at);
    expect([wrong.exit, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('cannot read list.xlsx: sheet "Other" not found; sheets: List'),
    ]);
    expect((await office.run('presence set -f list.xlsx --sheet List --yes', at)).exit).toBe(0);
  });
});
