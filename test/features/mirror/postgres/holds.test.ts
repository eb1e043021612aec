import { describe, expect, it } from 'vitest';
import type { CallLogRecord } from '../../../../src/contract/call-log.ts';
import { syncScope } from '../../../../src/features/mirror/index.ts';
import { PostgresCalls } from '../../../../src/features/mirror/postgres/calls.ts';
import { changeHolds, type LegalHold } from '../../../../src/features/mirror/postgres/index.ts';
import { PostgresMessages } from '../../../../src/features/mirror/postgres/store.ts';
import type { OnDelete } from '../../../../src/store/reply.ts';
import { postgresMissing, testStore } from '../../../support/postgres.ts';
import { message, replies, replyText } from '../replies.ts';

const erased = '+15555550142';
const now = Date.UTC(2026, 0, 5, 10);

/** An empty archive that other machines use, too. `erasedElsewhere` stores an erased number as `store copy` does. */
async function openArchive() {
  const { db } = await testStore();
  const messages = new PostgresMessages(db);
  const calls = new PostgresCalls(db);
  let token = 0;
  return {
    db,
    messages,
    calls,
    sync: (records: readonly object[], onDelete: OnDelete = 'mark') => {
      token += 1;
      const options = { extensionId: '7', scope: {}, onDelete, now: () => now, full: true };
      return syncScope(messages, replies(replyText(records, `token-${token}`)).open, options);
    },
    hold: (kind: LegalHold['kind'], value: string, reason: string | undefined = 'case 17') =>
      changeHolds(db, [{ kind, value }], { reason, now: new Date(now).toISOString() }),
    release: (kind: LegalHold['kind'], value: string) =>
      changeHolds(db, [{ kind, value }], { reason: undefined, now: new Date(now).toISOString() }),
    erasedElsewhere: () =>
      db.run(
        `insert into erased (salt, number_hash, erased_at) values ('s', encode(sha256('s:${erased}'), 'hex'), '2026-01-05')`,
      ),
    texts: async (): Promise<readonly string[]> => {
      const rows = await db.query<{ text: string }>('select subject as text from message order by subject');
      return rows.map(({ text }) => text);
    },
  };
}

const from = { phoneNumber: erased };
const changedAt = (minute: number): string => new Date(Date.UTC(2026, 0, 5, 9, minute)).toISOString();

describe.skipIf(postgresMissing())('a legal hold', () => {
  it('retains messages of an erased number, and the archive copies new ones', async () => {
    const { sync, hold, release, erasedElsewhere, texts, messages } = await openArchive();
    await sync([message(1, { from, subject: 'a' }), message(2, { subject: 'b' })]);
    await hold('mailbox', '7');
    await erasedElsewhere();
    const changed = message(1, { from, subject: 'a2', lastModifiedTime: changedAt(5) });
    const all = [changed, message(2, { subject: 'b' }), message(3, { from, subject: 'c' })];
    await sync(all);
    expect(await texts()).toEqual(['a2', 'b', 'c']);
    const isExcluded = await messages.excluded('7');
    const record = { type: 'SMS', creationTime: changedAt(0), fromNumber: erased, toNumbers: '' };
    expect(isExcluded(record)).toBe(false);
    await release('mailbox', '7');
    await sync(all);
    expect(await texts()).toEqual(['b']);
  });

  it('on the other number retains a message whose new record no longer names that number', async () => {
    const { sync, hold, erasedElsewhere, texts } = await openArchive();
    const other = '+15555550143';
    await sync([message(1, { from, to: [{ phoneNumber: other }], subject: 'a' })]);
    await hold('number', other);
    await erasedElsewhere();
    await sync([message(1, { from, subject: 'a2', lastModifiedTime: changedAt(5) })]);
    expect(await texts()).toEqual(['a']);
  });

  it.each([
    ['mailbox', '7'],
    ['number', '+15555550100'],
  ] as const)('on a %s retains what the service deleted, also with the policy purge', async (kind, value) => {
    const { db, sync, hold, release, texts } = await openArchive();
    const all = ['a', 'b', 'c', 'd'].map((subject, index) => message(index + 1, { subject }));
    const left = [...all.slice(3), { id: 1, availability: 'Purged' }, { id: 2, availability: 'Deleted' }];
    await sync(all, 'purge');
    await hold(kind, value);
    for (let count = 0; count < 2; count += 1) await sync(left, 'purge');
    expect(await texts()).toEqual(['a', 'b', 'c', 'd']);
    expect(
      await db.query(
        'select availability, missing_since is not null as missing from message order by message_id',
      ),
    ).toEqual([
      { availability: 'Purged', missing: false },
      { availability: 'Deleted', missing: false },
      { availability: 'Alive', missing: true },
      { availability: 'Alive', missing: false },
    ]);
    await release(kind, value);
    await sync(left, 'purge');
    expect(await texts()).toEqual(['d']);
  });

  it('retains the text of a purged message, also with the policy mark', async () => {
    const { sync, hold, texts } = await openArchive();
    await sync([message(1, { subject: 'a' })]);
    await hold('mailbox', '7');
    await sync([{ id: 1, availability: 'Purged' }]);
    expect(await texts()).toEqual(['a']);
  });

  it('on a number prevents its erasure before anything of it is copied', async () => {
    const { db, messages, sync, hold, texts } = await openArchive();
    await hold('number', erased);
    await expect(messages.erase(erased, now)).rejects.toMatchObject({
      name: 'LegalHoldError',
      message: 'a legal hold retains all data with this number',
    });
    expect(await db.query('select 1 from erased')).toEqual([]);
    await sync([message(1, { from, subject: 'a' })]);
    expect(await texts()).toEqual(['a']);
  });

  it('retains calls with an erased number', async () => {
    const { db, calls, hold, erasedElsewhere, messages } = await openArchive();
    await hold('number', erased);
    await erasedElsewhere();
    const call: CallLogRecord = {
      uri: 'https://service.example/restapi/v1.0/account/1/call-log/1',
      id: '1',
      sessionId: '1',
      startTime: changedAt(0),
      duration: 10,
      type: 'Voice',
      direction: 'Inbound',
      action: 'Phone Call',
      result: 'Accepted',
      from,
    };
    const stream = {
      owner: '/account/1',
      dateFrom: 0,
      completeTo: undefined,
      pending: undefined,
      syncedAt: undefined,
    };
    await calls.apply('account', [call], stream, await messages.erasedNumbers());
    expect(await db.query('select 1 from call_record')).toHaveLength(1);
  });
});
