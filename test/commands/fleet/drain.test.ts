import { describe, expect, it } from 'vitest';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice } from './fleet-office.ts';

describe.skipIf(postgresMissing())('commands with several names', () => {
  it('drain no worker if one of the names is unknown', async () => {
    const office = await fleetOffice();
    const { db } = office;
    for (const name of ['node-1', 'node-2'])
      await db.run(
        `insert into fleet_worker (worker, machine, pid, version, concurrency) values ($1, 'm', 1, '0', 1)`,
        [name],
      );
    const states = (): Promise<readonly object[]> =>
      db.query('select worker, state from fleet_worker order by 1');
    const running = [
      { worker: 'node-1', state: 'running' },
      { worker: 'node-2', state: 'running' },
    ];
    const { exit, stderr } = await office.run('fleet drain node-1 nobody -o json');
    expect(exit).toBe(3);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { message: 'no running worker "nobody" found', hint: 'ucctl fleet status' },
    });
    expect(await states()).toEqual(running);
    expect(await office.rows('fleet drain node-1')).toEqual([{ worker: 'node-1', machine: 'm' }]);
    expect(await states()).toEqual([{ worker: 'node-1', state: 'draining' }, running[1]]);
    expect(await office.rows('fleet drain')).toHaveLength(2);
  });

  it('change no task if one of the extensions is unknown', async () => {
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101');
    const tasks = (): Promise<readonly object[]> =>
      office.db.query('select state, change_seq, due_at from fleet_task');
    const before = await tasks();
    for (const words of ['pause', 'resume', 'retry', 'enroll --remove', 'enroll --every 1h'])
      expect([words, (await office.run(`fleet ${words} --extension 101,9999`)).exit]).toEqual([words, 3]);
    expect(await tasks()).toEqual(before);
  });
});
