import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { openDesk, type Desk } from '../../matrix/desk.ts';

const add = 'queue assign --queue 203 --add 105 --yes';

/**
 * Makes the journal of runs fail at the updates that a condition selects, as on a failing disk: a trigger reads a table
 * whose only page is damaged.
 */
function failWhen(
  { paths }: Desk,
  table: 'run' | 'item',
  condition: string,
): { readonly repair: () => void } {
  const file = join(paths.state, 'runs.db');
  const db = openDatabase(file);
  db.exec('CREATE TABLE torn (a)');
  const page = db.prepare("SELECT rootpage AS number FROM sqlite_schema WHERE name = 'torn'").get();
  const { page_size: bytes } = db.prepare('PRAGMA page_size').get();
  db.exec(`CREATE TRIGGER broken BEFORE UPDATE ON ${table} WHEN ${condition} BEGIN SELECT a FROM torn; END`);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  writeFileSync(file, readFileSync(file).fill(0xff, (page.number - 1) * bytes, page.number * bytes));
  return {
    repair() {
      const damaged = openDatabase(file);
      damaged.exec('DROP TRIGGER broken');
      damaged.close();
    },
  };
}

const isMember = async (desk: Desk): Promise<boolean> =>
  (await desk.run('queue members 203 --fields extensionNumber')).stdout.includes('105');

test.each(["NEW.state = 'done'", "NEW.state = 'undone'"])(
  'an undo whose end is not recorded (%s) is not undone by the same command',
  async (condition) => {
    await using desk = await openDesk();
    expect(await desk.run(add)).toMatchObject({ exit: 0 });
    const { repair } = failWhen(desk, 'run', condition);
    const failed = await desk.run('history undo last --yes');
    expect([failed.exit, failed.stderr]).toEqual([
      12,
      expect.stringMatching(
        /error: all changes are made, but .*runs\.db: the file is damaged[^]*ucctl queue apply --resume/,
      ),
    ]);
    expect(await isMember(desk)).toBe(false);
    repair();
    expect((await desk.run('history list --fields state')).stdout).toBe('open\ndone\n');
    const again = await desk.run('history undo last --yes');
    expect([again.exit, await isMember(desk)]).toEqual([11, false]);
    expect(await desk.run('queue apply --resume last --yes')).toMatchObject({ exit: 0 });
    expect((await desk.run('history list --fields state')).stdout).toBe('done\nundone\n');
    const [undo] = (await desk.run('history list --fields id')).stdout.split('\n');
    expect(await desk.run(`history undo ${undo} --yes`)).toMatchObject({ exit: 0 });
    expect(await isMember(desk)).toBe(true);
  },
);

test.each([
  ['item', "NEW.status = 'ok'", 'unknown'],
  ['run', "NEW.state = 'done'", 'added'],
] as const)(
  'the results file is correct if the journal fails after the request: %s, %s',
  async (table, condition, outcome) => {
    await using desk = await openDesk({ files: { 'q.csv': 'queue,agent,action\n203,105,add\n' } });
    expect(await desk.run('queue assign --queue 203 --add 106 --yes')).toMatchObject({ exit: 0 });
    failWhen(desk, table, condition);
    const failed = await desk.run('queue assign --file q.csv --yes --results r.csv');
    expect([failed.exit, await isMember(desk)]).toEqual([12, true]);
    expect(failed.stderr.includes('all changes are made')).toBe(table === 'run');
    expect(readFileSync(join(desk.cwd, 'r.csv'), 'utf8')).toContain(`203,105,add,${outcome}`);
  },
);

test('after a failure of the journal, the results file says of no text that was not sent that its outcome is unknown', async () => {
  const rows = Array.from({ length: 40 }, (_, index) => `+165055${index + 52_000}`);
  await using desk = await openDesk({
    files: { 'one.csv': 'to\n+16505550199\n', 'list.csv': ['to', ...rows, ''].join('\n') },
  });
  const send = 'sms send --template Hello --from +16505550110 --yes -f';
  expect(await desk.run(`${send} one.csv`)).toMatchObject({ exit: 0 });
  failWhen(desk, 'item', "NEW.status = 'ok' AND NEW.seq >= 20");
  expect((await desk.run(`${send} list.csv --results r.csv`)).exit).not.toBe(0);
  const statuses = readFileSync(join(desk.cwd, 'r.csv'), 'utf8').match(/,(?:not-sent|sent|unknown)\b/g) ?? [];
  const count = (status: string): number => statuses.filter((one) => one === `,${status}`).length;
  expect([count('sent'), count('unknown'), count('not-sent')]).toEqual([20, 1, 19]);
});
