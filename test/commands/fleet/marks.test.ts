import { describe, expect, it, onTestFinished } from 'vitest';
import type { Postgres } from '../../../src/store/index.ts';
import { eventually } from '../../support/eventually.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice, type FleetOffice } from './fleet-office.ts';

/** Reports a change as a receiver does while a worker has locked the task. */
async function mark(db: Postgres): Promise<void> {
  await db.run('insert into fleet_mark (task_id) select task_id from fleet_task');
}

async function marks(db: Postgres): Promise<number> {
  return (await db.query('select 1 from fleet_mark')).length;
}

/** Calls `work` during the first sync. */
function duringSync(office: FleetOffice, work: () => Promise<void>): void {
  office.onRequest = async (path) => {
    if (!path.endsWith('/message-sync')) return;
    office.onRequest = () => Promise.resolve();
    await work();
  };
}

describe.skipIf(postgresMissing())('a worker without a receiver applies the mark of a task', () => {
  it('before it looks for due tasks', async () => {
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101 --every 1h');
    await office.run('fleet worker --once');
    await mark(office.db);
    expect((await office.run('fleet worker --once')).exit).toBe(0);
    expect(await office.db.query('select runs from fleet_task')).toEqual([{ runs: 2 }]);
    expect(await marks(office.db)).toBe(0);
  });

  it('before it ends, if the mark was added during its last task', async () => {
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101 --every 1h');
    duringSync(office, () => mark(office.db));
    expect((await office.run('fleet worker --once --lease 10m')).exit).toBe(0);
    expect(await office.db.query('select runs from fleet_task')).toEqual([{ runs: 2 }]);
    expect(await marks(office.db)).toBe(0);
  });

  it('while it waits for due tasks', async () => {
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101 --every 1h');
    const stop = new AbortController();
    const ended = office.run('fleet worker', { signal: stop.signal });
    onTestFinished(async () => {
      stop.abort();
      await ended;
    });
    const runs = async (): Promise<unknown> => office.db.query('select runs from fleet_task');
    await eventually(async () => expect(await runs()).toEqual([{ runs: 1 }]));
    await mark(office.db);
    await eventually(async () => expect(await runs()).toEqual([{ runs: 2 }]));
    expect(await marks(office.db)).toBe(0);
  });
});
