import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/sqlite.ts';
import { occupy } from '../support/occupy.ts';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';
import { connectedOffice, live } from './webhook/listening.ts';
import { openOffice } from './office.ts';

/** Commands that only read the databases of the state folder, and their exit codes if the databases are missing. */
const readers = [
  ['history list', 0],
  ['history show last', 3],
  ['events list', 0],
  ['events show 1', 3],
  ['events export', 0],
  ['events dlq', 0],
  ['outcome list', 0],
  ['queue assign --queue Support --add 106 --dry-run', 0],
] as const;

it.each(readers)('%s works with a state folder that cannot be created', async (command, exit) => {
  const office = await openOffice();
  const paths = { ...temporaryPaths(), state: '/proc/ucctl' };
  const result = await office.run(command, { paths });
  expect(result).toMatchObject({ exit });
});

it('a send names the variable of the state folder if the folder cannot be created', async () => {
  const office = await openOffice();
  const paths = { ...temporaryPaths(), state: '/proc/ucctl' };
  const { exit, stderr } = await office.run('sms send --to +16505550112 Hi --yes', { paths });
  expect([exit, stderr]).toEqual([12, expect.stringContaining('set UCCTL_STATE_DIR to a folder')]);
  expect(stderr).not.toContain('use a file');
});

it('commands that only read work with databases that cannot be written', async () => {
  const office = await connectedOffice();
  const paths = temporaryPaths();
  const { ready, result } = await live(office, 'webhook listen --no-subscribe --count 1', { paths });
  const body = JSON.stringify({ uuid: 'one', event: '/x', timestamp: '', body: {} });
  await fetch(ready.address, { method: 'POST', body });
  await result;
  await office.run('queue assign --queue Support --add 106 --yes', { paths });
  await office.run(['sms', 'send', '--to', '+16505550112', 'Hi', '--yes'], { paths });
  const outputs = (state: string) =>
    Promise.all(readers.map(async ([command]) => office.run(command, { paths: { ...paths, state } })));
  const before = await outputs(paths.state);
  const after = await outputs(await unwritableCopy(paths.state));
  expect(after.map(({ exit, stdout }) => ({ exit, stdout }))).toEqual(
    before.map(({ stdout }) => ({ exit: 0, stdout })),
  );
});

/** Copies the databases of a state folder. SQLite cannot create their shared memory, as in a read-only folder. */
async function unwritableCopy(state: string): Promise<string> {
  const copy = temporaryFolder();
  mkdirSync(join(copy, 'inbox'), { mode: 0o700 });
  for (const name of [join('inbox', 'default.db'), 'runs.db', 'outcomes.db']) {
    const db = openDatabase(join(state, name));
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    copyFileSync(join(state, name), join(copy, name));
    await occupy(join(copy, `${name}-shm`));
  }
  return copy;
}
