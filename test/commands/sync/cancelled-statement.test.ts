import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { eventually } from '../../support/eventually.ts';
import { startFreezingProxy } from '../../support/frozen-proxy.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { runUcctl } from '../../support/run-ucctl.ts';

/** Runs `sync sql` with a statement that waits for a lock of the test, and calls `work` while it waits. */
async function whileWaiting(
  link: (url: string) => Promise<string>,
  work: (interrupt: () => void) => void | Promise<void>,
) {
  const { db, url } = await testStore();
  const key = randomInt(2 ** 31);
  const waiting = async (): Promise<number | undefined> => {
    const [row] = await db.query<{ count: number }>(
      `select count(*)::int as count from pg_locks where locktype = 'advisory' and objid = $1 and not granted`,
      [key],
    );
    return row?.count;
  };
  return db.session(async (session) => {
    await session.query('select pg_advisory_lock($1)', [key]);
    const controller = new AbortController();
    // The server itself would end the statement after an hour.
    const store = `${await link(url)}&statement_timeout=3600000`;
    const words = ['sync', 'sql', `select pg_advisory_lock(${key})`, '--store', store];
    const ended = runUcctl(words, { signal: controller.signal });
    await eventually(async () => expect(await waiting()).toBe(1));
    await work(() => controller.abort(new Interrupted('SIGINT')));
    const result = await ended;
    const stillWaiting = await waiting();
    await session.query('select pg_advisory_unlock($1)', [key]);
    return { result, stillWaiting };
  });
}

const direct = (url: string): Promise<string> => Promise.resolve(url);
const interrupted = { exit: 130, stdout: '' };

describe.skipIf(postgresMissing())('Ctrl-C in sync sql on a store', () => {
  it('cancels the statement on the server', async () => {
    const { result, stillWaiting } = await whileWaiting(direct, (interrupt) => interrupt());
    expect(result).toMatchObject(interrupted);
    expect(stillWaiting).toBe(0);
  });

  it('ends the command when the server does not reply', async () => {
    let freeze = (): void => undefined;
    const link = async (url: string): Promise<string> => {
      const proxy = await startFreezingProxy(url);
      freeze = () => proxy.freeze();
      return proxy.url;
    };
    const { result } = await whileWaiting(link, (interrupt) => {
      freeze();
      interrupt();
    });
    expect(result).toMatchObject(interrupted);
  });
});
