import { describe, expect, it, onTestFinished } from 'vitest';
import { connectStore } from '../../src/store/index.ts';
import { SessionTable } from '../../src/store/session-table.ts';
import { postgresMissing, testStore } from '../support/postgres.ts';

/** As many sessions as the pool of a process has connections. */
const items = ['a', 'b', 'c', 'd'];

describe.skipIf(postgresMissing())('the locks of sessions', () => {
  it('leave connections for the renewals, however many sessions one process renews at the same time', async () => {
    const { url } = await testStore();
    const db = connectStore({ url: `${url}&connect_timeout=2`, source: 'the test', env: {} });
    onTestFinished(() => db.close());
    const table = new SessionTable(db, { machine: 'm', pid: 1 });
    let locked = 0;
    let allLocked: () => void = () => undefined;
    const all = new Promise<void>((resolve) => {
      allLocked = resolve;
    });
    const renew = async (item: string): Promise<boolean> => {
      locked += 1;
      if (locked === items.length) allLocked();
      // The service replies to all of them.
      await all;
      return table.write(item, 'renewed');
    };
    const busy = (): Promise<boolean> => Promise.resolve(false);
    const renewals = items.map((item) => table.locked(item, () => renew(item), busy));
    expect(await Promise.all(renewals)).toEqual(items.map(() => true));
  });
});
