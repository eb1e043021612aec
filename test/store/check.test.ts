import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkStore, connectStore, type Postgres, type StoreFinding } from '../../src/store/index.ts';
import { eventually } from '../support/eventually.ts';
import { clockStore, postgresMissing } from '../support/postgres.ts';

const start = Date.parse('2026-11-20T10:00:00Z');

/** Returns the result of the check of delays. */
async function delayCheck(db: Postgres): Promise<StoreFinding | undefined> {
  const findings = await checkStore(
    db,
    () => start,
    (check, error) => ({ check, result: 'fail', found: String(error) }),
  );
  return findings.find(({ check }) => check === 'delays');
}

/** The connections of a role that may read the store, and is removed after the test. */
async function readerOf({
  db,
  url,
  schema,
}: {
  readonly db: Postgres;
  readonly url: string;
  readonly schema: string;
}) {
  const role = `r_${randomBytes(6).toString('hex')}`;
  await db.script(`create role "${role}" login; grant usage on schema "${schema}" to "${role}";
    grant select on all tables in schema "${schema}" to "${role}"`);
  const address = new URL(url);
  address.username = role;
  const reader = connectStore({ url: address.href, source: 'the test', env: {} });
  onTestFinished(async () => {
    await reader.close();
    await db.script(`drop owned by "${role}"; drop role "${role}"`);
  });
  return reader;
}

describe.skipIf(postgresMissing())('the check of delays', () => {
  it('finds changes and events that a transaction of another user hides, without special rights', async () => {
    const store = await clockStore(start);
    const { db, setClock } = store;
    const reader = await readerOf(store);
    // The other tests of this server end their transactions soon.
    await eventually(async () => expect(await delayCheck(reader)).toMatchObject({ result: 'ok' }));
    await db.transaction(async (other) => {
      await other.query('select pg_current_xact_id()');
      await db.run(
        "insert into message_change (extension_id, message_id, change) values ('1', '1', 'added')",
      );
      await db.run(
        "insert into event (receiver, key, lane, origin, encrypted, raw) values ('office', '1', '', 'test', false, '{}')",
      );
      expect(await delayCheck(reader)).toMatchObject({ result: 'ok' });
      await setClock(start + 61_000);
      expect(await delayCheck(reader)).toMatchObject({
        result: 'warn',
        found: 'hidden from readers: 1 change and 1 event, the oldest for 61 s',
      });
    });
    await eventually(async () => expect(await delayCheck(reader)).toMatchObject({ result: 'ok' }));
  });
});
