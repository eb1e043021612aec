import { describe, expect, it } from 'vitest';
import { BrokenReplyError, NoRoomError, OtherMailboxError } from '../../../src/features/mirror/index.ts';
import { message, messagesOf, newMirror, rejection, replies, replyText, rows, sync } from './replies.ts';

const later = '2026-01-05T09:00:03.000Z';

describe('a sync of one scope', () => {
  it('spec:CLIENT-22 a full sync always names a date; later ones only send the token', async () => {
    const { db } = newMirror();
    const { open, asked } = replies(
      replyText([message(1)]),
      replyText([], 'token-2'),
      replyText([], 'token-3'),
    );
    expect(await sync(db, open)).toMatchObject({ syncType: 'FSync', added: 1, repaired: false });
    expect(await sync(db, open)).toMatchObject({ syncType: 'ISync', received: 0 });
    await sync(db, open);
    expect(asked).toEqual([
      { syncType: 'FSync', dateFrom: '2000-01-01T00:00:00.000Z' },
      { syncType: 'ISync', syncToken: 'token-1' },
      { syncType: 'ISync', syncToken: 'token-2' },
    ]);
  });

  it('spec:CLIENT-22 keeps more records than it asked for', async () => {
    const { db } = newMirror();
    const { open, asked } = replies(replyText([message(1), message(2), message(3)]));
    expect((await sync(db, open, { scope: { maxRecords: 2 } })).added).toBe(3);
    expect(asked[0]).toMatchObject({ recordCount: 2 });
  });

  it('keeps text after a U+0000: as U+FFFD in the column, unchanged in raw', async () => {
    const { db } = newMirror();
    const odd = message(1, { subject: 'before\0after', from: { phoneNumber: '+15555550100', name: 'A\0B' } });
    await sync(db, replies(replyText([odd])).open);
    expect(rows(db, 'SELECT subject, from_name, raw FROM message')).toEqual([
      { subject: 'before\uFFFDafter', from_name: 'A\uFFFDB', raw: JSON.stringify(odd) },
    ]);
    expect(rows(db, "SELECT rowid FROM message_fts WHERE message_fts MATCH 'after'")).toHaveLength(1);
  });

  it('never sends the token of one scope for another', async () => {
    const { db } = newMirror();
    const { open, asked } = replies(
      replyText([message(1)], 'all'),
      replyText([], 'fax'),
      replyText([], 'fax-2'),
      replyText([], 'all-2'),
    );
    await sync(db, open);
    await sync(db, open, { scope: { messageType: 'Fax' } });
    await sync(db, open, { scope: { messageType: 'Fax' } });
    await sync(db, open);
    expect(asked.map(({ syncType, syncToken, messageType }) => [syncType, syncToken, messageType])).toEqual([
      ['FSync', undefined, undefined],
      ['FSync', undefined, 'Fax'],
      ['ISync', 'fax', undefined],
      ['ISync', 'all', undefined],
    ]);
  });

  it('spec:SYNC-14 stores the newest version of a record that the overlap returns three times', async () => {
    const { db } = newMirror();
    const read = message(1, { readStatus: 'Read', lastModifiedTime: later });
    const { open } = replies(
      replyText([message(1), message(1)]),
      replyText([message(1)], 'token-2'),
      replyText([read, message(1)], 'token-3'),
      replyText([message(1)], 'token-4'),
    );
    await sync(db, open);
    expect(await sync(db, open)).toMatchObject({ unchanged: 1, changed: 0 });
    expect(await sync(db, open)).toMatchObject({ changed: 1 });
    await sync(db, open);
    expect(rows(db, 'SELECT message_id, read_status FROM message')).toEqual([
      { message_id: '1', read_status: 'Read' },
    ]);
    expect(rows(db, "SELECT json_extract(raw, '$.readStatus') AS was FROM message_version")).toEqual([
      { was: 'Unread' },
    ]);
  });

  it('keeps ids of 19 digits exactly', async () => {
    const { db } = newMirror();
    const text = replyText([message('7001', { conversationId: 1, conversation: undefined })])
      .replace('"id":"7001"', '"id":8031152018338945839')
      .replace('"conversationId":1', '"conversationId":8031152018338945841');
    await sync(db, replies(text).open);
    expect(rows(db, 'SELECT message_id, conversation_id FROM message')).toEqual([
      { message_id: '8031152018338945839', conversation_id: '8031152018338945841' },
    ]);
  });

  it.each([
    ['keep', 'Deleted', [{ availability: 'Deleted', subject: 'text 1' }]],
    ['keep', 'Purged', [{ availability: 'Purged', subject: 'text 1' }]],
    ['mark', 'Deleted', [{ availability: 'Deleted', subject: 'text 1' }]],
    ['mark', 'Purged', [{ availability: 'Purged', subject: null }]],
    ['purge', 'Deleted', []],
    ['purge', 'Purged', []],
  ] as const)('under %s the copy of what is %s is %j', async (onDelete, availability, left) => {
    const { db } = newMirror();
    const { open } = replies(replyText([message(1)]), replyText([{ id: 1, availability }], 'token-2'));
    await sync(db, open, { onDelete });
    await sync(db, open, { onDelete });
    expect(rows(db, 'SELECT availability, subject FROM message')).toEqual(left);
    const found = rows(db, "SELECT rowid FROM message_fts WHERE message_fts MATCH 'text'");
    expect(found).toHaveLength(left[0]?.subject === 'text 1' ? 1 : 0);
  });

  it('brings a restored message back', async () => {
    const { db } = newMirror();
    const { open } = replies(
      replyText([message(1)]),
      replyText([{ id: 1, availability: 'Purged' }], 'token-2'),
      replyText([message(1)], 'token-3'),
    );
    await sync(db, open);
    await sync(db, open);
    await sync(db, open);
    expect(rows(db, 'SELECT availability, subject FROM message')).toEqual([
      { availability: 'Alive', subject: 'text 1' },
    ]);
  });

  it.each([400, 404, 410])(
    'repairs the copy once after the token is rejected with %i, and reports the repair',
    async (status) => {
      const { db } = newMirror();
      const repaired = [message(1), message(2, { subject: 'new words' }), message(4)];
      const { open, asked } = replies(
        replyText([message(1), message(2), message(3)]),
        rejection(status),
        replyText(repaired, 'token-2'),
        rejection(status),
        rejection(status),
      );
      await sync(db, open);
      expect(await sync(db, open)).toMatchObject({
        repaired: true,
        received: 3,
        added: 1,
        changed: 1,
        unchanged: 1,
        vanished: 1,
      });
      expect(rows(db, 'SELECT message_id AS id, missing_since AS gone FROM message ORDER BY id')).toEqual([
        { id: '1', gone: null },
        { id: '2', gone: null },
        { id: '3', gone: '2026-01-05T10:00:00.000Z' },
        { id: '4', gone: null },
      ]);
      await expect(sync(db, open)).rejects.toThrow('full synchronization');
      expect(asked).toHaveLength(5);
    },
  );

  it('counts only records of the scope as missing', async () => {
    const { db } = newMirror();
    const old = message(1, { creationTime: '2025-06-01T00:00:00Z' });
    const fax = message(2, { type: 'Fax' });
    const { open } = replies(
      replyText([old, fax, message(3)]),
      replyText([], 'fresh', { olderRecordsExist: true }),
      replyText([message(3)], 'newest'),
    );
    await sync(db, open);
    const scope = { messageType: 'SMS', since: '2026-01-01' };
    const report = await sync(db, open, { scope, dateFrom: '2026-01-01T00:00:00.000Z', onDelete: 'purge' });
    expect(report).toMatchObject({ vanished: 1, olderRecordsExist: true });
    expect(rows(db, 'SELECT message_id AS id FROM message ORDER BY id')).toEqual([{ id: '1' }, { id: '2' }]);
    expect((await sync(db, open, { scope: { maxRecords: 1 }, onDelete: 'purge' })).vanished).toBe(0);
  });

  it('skips and records an invalid record, and stores the others and the token', async () => {
    const { db } = newMirror();
    const { open } = replies(
      replyText([
        message(1),
        message(2, { creationTime: 'soon' }),
        { subject: 'nobody' },
        { id: 3 },
        message(4, { subject: 'x'.repeat(9_000_000) }),
      ]),
    );
    expect(await sync(db, open)).toMatchObject({ received: 4, added: 1, errors: 4 });
    expect(rows(db, 'SELECT message_id, problem FROM sync_error ORDER BY message_id')).toMatchObject([
      { message_id: null, problem: 'the record has no ID' },
      { message_id: '2', problem: 'the message has no valid creationTime' },
      { message_id: '3', problem: 'the message has no type' },
      { message_id: '4', problem: expect.stringMatching(/bytes is too large/) as string },
    ]);
    expect(rows(db, 'SELECT sync_token FROM stream')).toEqual([{ sync_token: 'token-1' }]);
  });

  it.each([
    ['is cut off', (text: string) => text.slice(0, -1)],
    ['has no token', (text: string) => text.replace('syncToken', 'token')],
  ])('stores nothing from a reply that %s', async (_, spoil) => {
    const { db } = newMirror();
    const { open } = replies(replyText([message(1)]), spoil(replyText([message(2)], 'token-2')));
    await sync(db, open);
    await expect(sync(db, open)).rejects.toBeInstanceOf(BrokenReplyError);
    expect(rows(db, 'SELECT message_id, sync_token FROM message, stream')).toEqual([
      { message_id: '1', sync_token: 'token-1' },
    ]);
  });

  it('uses the time of the request if a reply has no time', async () => {
    const { db } = newMirror();
    const text = replyText([message(1)]).replace('2026-01-05T09:00:00.000Z"}}', '"}}');
    const { syncTime } = await sync(db, replies(text).open);
    expect(rows(db, 'SELECT sync_time FROM stream')).toEqual([{ sync_time: syncTime }]);
    expect(Date.parse(syncTime)).toBeGreaterThan(0);
  });

  it("stores nothing from another user's mailbox", async () => {
    const { db } = newMirror();
    const { open } = replies(
      replyText([message(1)]).replace('extension/7/message-sync', 'extension/8/message-sync'),
    );
    const owner = (): Promise<string> => Promise.resolve('7');
    await expect(sync(db, open, { owner })).rejects.toBeInstanceOf(OtherMailboxError);
    expect(rows(db, 'SELECT message_id FROM message')).toEqual([]);
  });

  it("stores nothing from another user's mailbox if the reply does not name it", async () => {
    const { db } = newMirror();
    const text = replyText([message(1)]).replace(/"uri":"[^"]*message-sync",/, '');
    const { open } = replies(text, text);
    const owner = (id: string) => () => Promise.resolve(id);
    await expect(sync(db, open, { owner: owner('8') })).rejects.toBeInstanceOf(OtherMailboxError);
    expect(rows(db, 'SELECT message_id FROM message')).toEqual([]);
    expect(await sync(db, open, { owner: owner('7') })).toMatchObject({ added: 1 });
  });

  it('gives each of many messages of one millisecond a unique key, in linear time', async () => {
    const { db } = newMirror();
    const many = (from: number) => Array.from({ length: 10_000 }, (_, index) => message(from + index));
    expect(await sync(db, replies(replyText(many(100_000))).open)).toMatchObject({ added: 10_000 });
    const again = replyText([...many(100_000), ...many(110_000)], 'token-2');
    expect(await sync(db, replies(again).open)).toMatchObject({ unchanged: 10_000, added: 10_000 });
    expect(rows(db, 'SELECT count(*) AS n, count(DISTINCT message_id) AS ids FROM message')).toEqual([
      { n: 20_000, ids: 20_000 },
    ]);
  });

  it('on a full disk keeps the previous state, and reports how much space is needed', async () => {
    const { db } = newMirror();
    const many = Array.from({ length: 3000 }, (_, index) =>
      message(100 + index, { subject: `word${index} `.repeat(9) }),
    );
    const { open } = replies(replyText([message(1)]), replyText(many, 'token-2'), replyText(many, 'token-2'));
    await sync(db, open);
    const { page_count: pages } = db.prepare('PRAGMA page_count').get() as { readonly page_count: number };
    db.exec(`PRAGMA max_page_count = ${pages + 100}`);
    const error = await sync(db, open).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(NoRoomError);
    const replyBytes = replyText(many, 'token-2').length;
    expect((error as NoRoomError).neededBytes).toBeGreaterThanOrEqual(replyBytes);
    expect(rows(db, 'SELECT message_id, sync_token FROM message, stream')).toEqual([
      { message_id: '1', sync_token: 'token-1' },
    ]);
    expect(rows(db, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    db.exec('PRAGMA max_page_count = 1073741823');
    expect((await sync(db, open)).added).toBe(3000);
    // Room that is said to be needed must be enough.
    const after = db.prepare('PRAGMA page_count').get() as { readonly page_count: number };
    expect((after.page_count - pages) * 4096).toBeLessThan((error as NoRoomError).neededBytes);
  });
});

it('waits for the disk again in each commit after a sync that failed', async () => {
  const { db } = newMirror();
  const messages = messagesOf(db);
  const levels: unknown[] = [];
  const level = (): unknown => db.prepare('PRAGMA synchronous').get();
  const failing = messages.syncing(() => {
    levels.push(level());
    return Promise.reject(new Error('no network'));
  });
  await expect(failing).rejects.toThrow('no network');
  expect([...levels, level()]).toEqual([{ synchronous: 1 }, { synchronous: 2 }]);
});
