import { expect, it, onTestFinished } from 'vitest';
import { migrateStore, migrations, newestMigration } from '../../../src/store/index.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice, type FleetOffice } from './fleet-office.ts';

/** Adds a step that this version does not know. */
async function migrateToNewer({ db }: FleetOffice): Promise<void> {
  const next = { number: newestMigration() + 1, name: 'next', sql: 'create table next (n int)' };
  await migrateStore(db, [...migrations, next]);
}

/** The exit code and the code of the error in JSON. */
function endOf({ exit, stderr }: { readonly exit: number; readonly stderr: string }) {
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
    readonly error: { readonly code: string; readonly hint: string };
  };
  return [exit, error.code, error.hint];
}

const newer = [12, 'store_newer', 'install the newer version of ucctl on this machine'];

it.skipIf(postgresMissing()).each([
  ['a worker', 'fleet worker', 'started with'],
  ['a consumer', 'events consume crm --forward-to http://127.0.0.1:9/', 'Created consumer crm'],
  [
    'a receiver',
    'webhook listen --sink store --no-subscribe --public-url https://example.com --port 0',
    'example.com',
  ],
])('%s ends if a newer version migrates the store', async (_, words, started) => {
  const office = await fleetOffice();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const result = await new Promise<Awaited<ReturnType<FleetOffice['run']>>>((resolve, reject) => {
    let migrated: Promise<void> | undefined;
    const onText = (text: string): void => {
      if (text.includes(started)) migrated ??= migrateToNewer(office).catch(reject);
    };
    const options = { signal: stop.signal, onStdout: onText, onStderr: onText };
    office.run(`${words} -o ndjson`, options).then(resolve, reject);
  });
  expect(endOf(result)).toEqual(newer);
});

it.skipIf(postgresMissing()).each(['sync', 'fleet worker --once'])(
  '%s stores nothing in a store that a newer version migrates during a reply',
  async (words) => {
    const office = await fleetOffice();
    const { db, sandbox } = office;
    await sandbox.control('POST', '/triggers/sms', { to: '101', text: 'hello' });
    expect((await office.run('fleet enroll --extension 101 --every 1h')).exit).toBe(0);
    office.onRequest = async (path) => {
      if (path.endsWith('/message-sync')) await migrateToNewer(office);
    };
    expect(endOf(await office.run(`${words} -o json`))).toEqual(newer);
    expect(await db.query('select 1 from message')).toEqual([]);
    // The worker does not even release its task.
    const claimed = words === 'sync' ? [] : [{ attempts: 1, problem: null }];
    expect(await db.query('select attempts, problem from fleet_task where attempts > 0')).toEqual(claimed);
  },
);
