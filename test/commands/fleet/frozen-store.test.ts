import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../support/run-ucctl.ts';
import { eventually } from '../../support/eventually.ts';
import { startFreezingProxy } from '../../support/frozen-proxy.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice } from './fleet-office.ts';

describe.skipIf(postgresMissing())('an interrupted worker', () => {
  it('ends before the timeout of a statement if the store does not reply, and its task becomes due', async () => {
    const office = await fleetOffice();
    const proxy = await startFreezingProxy(office.url);
    await office.run('fleet enroll --extension 101,102');
    const stop = new AbortController();
    office.onRequest = (path) => {
      // The first task cannot store its reply, and the worker cannot claim the next task.
      if (path.endsWith('/message-sync') && !stop.signal.aborted) {
        proxy.freeze();
        stop.abort(new Error('interrupted'));
      }
      return Promise.resolve();
    };
    let result: RunResult | undefined;
    const running = (async () => {
      result = await office.run(`fleet worker --store ${proxy.url}`, { signal: stop.signal });
    })();
    await eventually(() => expect(result).toMatchObject({ exit: 0 }));
    await running;
    expect(result?.stderr).toContain('the store does not reply, so the worker ends without it');
    const tasks = await office.db.query('select runs, worker is null as free from fleet_task');
    expect(tasks).toContainEqual({ runs: 0, free: false });
    await office.db.run(`update fleet_task set due_at = store_now() where worker is not null`);
    expect((await office.run('fleet worker --once')).exit).toBe(0);
    expect(await office.db.query('select distinct runs from fleet_task')).toEqual([{ runs: 1 }]);
  });
});
