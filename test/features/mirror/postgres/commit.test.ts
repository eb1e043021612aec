import { describe, expect, it } from 'vitest';
import { syncScope } from '../../../../src/features/mirror/index.ts';
import type { CommitGuard } from '../../../../src/features/mirror/postgres/apply.ts';
import { PostgresMessages } from '../../../../src/features/mirror/postgres/store.ts';
import { postgresMissing, testStore } from '../../../support/postgres.ts';
import { message, replies, replyText } from '../replies.ts';

const now = Date.UTC(2026, 0, 5, 10);

/** A store with one message of a mailbox. */
async function syncedStore() {
  const { db } = await testStore();
  const sync = (text: string, guard?: CommitGuard) =>
    syncScope(new PostgresMessages(db, guard), replies(text).open, {
      extensionId: '7',
      scope: {},
      onDelete: 'mark',
      now: () => now,
    });
  await sync(replyText([message(1)]));
  return { db, sync, messages: new PostgresMessages(db) };
}

describe.skipIf(postgresMissing())('a reply', () => {
  it.each([
    ['with a message', [message(2)]],
    ['without changes', []],
  ])('%s changes nothing if its process must not store it', async (_, records) => {
    const { db, sync } = await syncedStore();
    const rejects: CommitGuard = async (transaction) => {
      await transaction.run("insert into mailbox (extension_id) values ('8')");
      throw new Error('taken over');
    };
    await expect(sync(replyText(records, 'token-2'), rejects)).rejects.toThrow('taken over');
    // The pool uses the same connection, which must have no open transaction.
    expect(await db.query('select extension_id as id from mailbox')).toEqual([{ id: '7' }]);
    expect(await db.query('select message_id as id from message')).toEqual([{ id: '1' }]);
    expect(await db.query('select sync_token as token from stream')).toEqual([{ token: 'token-1' }]);
  });

  it('is not stored if a number was erased since the check of its records', async () => {
    const { db, messages } = await syncedStore();
    const number = '+15555550142';
    const stream = await messages.openStream('7', {});
    const settings = { onDelete: 'mark', full: false, now: new Date(now).toISOString() } as const;
    const applied = messages.apply(stream, settings, async (sink) => {
      await sink.records([JSON.stringify(message(2, { from: { phoneNumber: number } }))]);
      await messages.erase(number, now);
      return { syncToken: 'token-2', syncTime: undefined };
    });
    await expect(applied).rejects.toThrow('data was erased');
    expect(await db.query('select message_id as id from message')).toEqual([{ id: '1' }]);
    expect(await db.query('select sync_token as token from stream')).toEqual([{ token: 'token-1' }]);
  });

  it('is requested again if another run stored a newer reply meanwhile', async () => {
    const { db, sync, messages } = await syncedStore();
    const texts = [replyText([message(1, { subject: 'older' })], 'token-2'), replyText([], 'token-4')];
    const { open, asked } = replies(...texts);
    const options = { extensionId: '7', scope: {}, onDelete: 'mark', now: () => now } as const;
    const report = await syncScope(
      messages,
      async (extensionId, request) => {
        if (asked.length === 0) await sync(replyText([message(2)], 'token-3'));
        return open(extensionId, request);
      },
      options,
    );
    expect(asked).toMatchObject([{ syncToken: 'token-1' }, { syncToken: 'token-3' }]);
    expect(report).toMatchObject({ received: 0, changed: 0 });
    expect(await db.query('select message_id as id, subject from message order by pk')).toEqual([
      { id: '1', subject: 'text 1' },
      { id: '2', subject: 'text 2' },
    ]);
    expect(await db.query('select sync_token as token from stream')).toEqual([{ token: 'token-4' }]);
  });
});
