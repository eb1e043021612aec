import { describe, expect, it, onTestFinished } from 'vitest';
import { syncScope, type OpenSync } from '../../../../src/features/mirror/index.ts';
import { holdSession } from '../../../../src/features/mirror/postgres/stage.ts';
import { PostgresMessages } from '../../../../src/features/mirror/postgres/store.ts';
import type { Queries } from '../../../../src/platform/postgres/postgres.ts';
import { connectStore } from '../../../../src/store/index.ts';
import { postgresMissing, testStore } from '../../../support/postgres.ts';
import { message, replyText } from '../replies.ts';

/** More mailboxes than the pool has connections. */
const mailboxes = ['11', '12', '13', '14', '15', '16'] as const;
/** More records than a sync keeps in memory, and more bytes than it reads before the first of them. */
const records = 2010;
const padding = 'x'.repeat(1100);

describe.skipIf(postgresMissing())('connections of a sync', () => {
  it('suffice for long replies of many mailboxes at the same time', async () => {
    const { url } = await testStore();
    // Other work on this machine must not end the wait for a connection.
    const db = connectStore({ url: `${url}&connect_timeout=600`, source: 'the test', env: {} });
    const messages = new PostgresMessages(db);
    const all = Array.from({ length: records }, (_, index) =>
      message(index + 1, { uri: undefined, padding }),
    );
    const text = replyText(all).replace(/extension\/\d+\//, 'extension/~/');
    const end = text.lastIndexOf(']');
    let staged = 0;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    onTestFinished(() => {
      release();
      return db.close();
    });
    // Each reply ends after the first records of all replies were stored.
    const open: OpenSync = () =>
      Promise.resolve(
        (async function* () {
          yield Buffer.from(text.slice(0, end));
          staged += 1;
          if (staged === mailboxes.length) release();
          await released;
          yield Buffer.from(text.slice(end));
        })(),
      );
    const options = { scope: {}, onDelete: 'mark', now: () => Date.UTC(2026, 0, 5, 10) } as const;
    const reports = await Promise.all(
      mailboxes.map((extensionId) => syncScope(messages, open, { extensionId, ...options })),
    );
    expect(reports.map(({ added }) => added)).toEqual(mailboxes.map(() => records));
  });
});

describe.skipIf(postgresMissing())('a query of the user', () => {
  it('does not end while the program that reads its rows is slow', async () => {
    const { db } = await testStore();
    const messages = new PostgresMessages(db);
    const name = 'idle_in_transaction_session_timeout';
    const { rows } = await messages.query(`select current_setting('${name}') as "limit"`);
    const all: unknown[] = [];
    for await (const row of rows) all.push(row);
    expect(all).toEqual([{ limit: '0' }]);
    // Later work on the same connection has the limit again.
    const [{ limit } = { limit: '' }] = await db.query<{ limit: string }>(
      `select current_setting('${name}') as "limit"`,
    );
    expect(limit).toBe('30s');
  });
});

describe.skipIf(postgresMissing())('a connection that is held for several statements', () => {
  it('is not used again after a statement without a reply in time', async () => {
    const { url } = await testStore();
    const db = connectStore({ url: `${url}&statement_timeout=100`, source: 'the test', env: {} });
    onTestFinished(() => db.close());
    const { session, release } = await holdSession(db);
    const pidOf = async (queries: Queries): Promise<number | undefined> =>
      (await queries.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid;
    const pid = await pidOf(session);
    await expect(session.query('select pg_sleep(600)')).rejects.toMatchObject({ code: 'store_timeout' });
    await release();
    expect(await pidOf(db)).not.toBe(pid);
  });
});
