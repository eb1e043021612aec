import { describe, expect, it } from 'vitest';
import { SearchError, unknownFilter } from '../../../src/features/mirror/index.ts';
import { searchMessages } from '../../../src/features/mirror/search.ts';
import { MessageTable } from '../../../src/features/mirror/message-table.ts';
import { CachedStatements } from '../../../src/platform/cached-statements.ts';
import { transaction } from '../../../src/platform/sqlite.ts';
import { readRecord } from '../../../src/features/mirror/record.ts';
import { message, newMirror, replies, replyText, sync } from './replies.ts';

async function copied() {
  const { db } = newMirror();
  const records = [
    message(1, { subject: 'Your refund is on its way', creationTime: '2025-12-30T09:00:00Z' }),
    message(2, {
      subject: 'refund refused',
      from: { phoneNumber: '+15555550199', name: 'Zoë Müller' },
      readStatus: 'Read',
    }),
    message(3, { subject: 'Meeting at noon', from: { extensionNumber: '103', name: 'Bob' }, type: 'Pager' }),
    message(4, {
      type: 'VoiceMail',
      subject: undefined,
      attachments: [{ id: 9, uri: 'https://x.example/9', contentType: 'audio/mpeg' }],
    }),
    message(5, {
      subject: 'answer to the refund',
      direction: 'Outbound',
      from: { phoneNumber: '+16505550112' },
      to: [{ phoneNumber: '+15555550199' }],
      creationTime: '2026-01-06T09:00:00Z',
    }),
  ];
  await sync(db, replies(replyText(records)).open);
  const seconds = (text: string): number | undefined =>
    Number.isNaN(Date.parse(text)) ? undefined : Date.parse(text);
  return (text: string, limit = 50) =>
    [...searchMessages(db, text, limit, seconds)].map(({ id }) => Number(id));
}

describe('searching the copy', () => {
  it.each([
    ['refund', [5, 2, 1]],
    ['refund after:2026-01-01', [5, 2]],
    ['refund before:2026-01-01', [1]],
    ['from:+1555 refund', [2, 1]],
    ['from:+15555550199', [2]],
    ['from:muller', [2]],
    ['from:"Zoë Müller" refused', [2]],
    ['from:103', [3]],
    ['to:+15555550199', [5]],
    ['with:+15555550199', [5, 2]],
    ['with:+1555 is:out', [5]],
    ['to:alice refund', [2, 1]],
    ['"refund is on"', [1]],
    ['refu*', [5, 2, 1]],
    ['refund -refused', [5, 1]],
    ['refund is:unread', [5, 1]],
    ['type:voicemail', [4]],
    ['has:attachment', [4]],
    ['type:pager noon', [3]],
    ['mailbox:7 noon', [3]],
    ['is:deleted', []],
    ['AND OR NOT', []],
    ['subject:x ) "', []],
    ['', [5, 4, 3, 2, 1]],
    ['"" -', [5, 4, 3, 2, 1]],
  ])('%s finds %j, newest first', async (text, ids) => {
    const search = await copied();
    const found = search(text);
    expect(found).toEqual(ids);
    expect(search(text, 1)).toHaveLength(Math.min(1, ids.length));
  });

  it.each(['type:', 'type:foo', '-type:foo', 'after:soon', 'is:late', 'has:x', '-refund'])(
    'rejects %s',
    async (text) => {
      const search = await copied();
      expect(() => search(text)).toThrow(SearchError);
    },
  );
});

describe('a search for common prefixes', () => {
  /** Newest first: message 1 is the newest. More than are looked through, from 200 numbers, of which the oldest is another. */
  function manyMessages() {
    const { db } = newMirror();
    const table = new MessageTable(new CachedStatements(db), '7', 1);
    const messages = Array.from({ length: 10_200 }, (_, index) =>
      readRecord(
        JSON.stringify(
          message(index + 1, {
            subject: index % 2 === 0 ? 'refund' : 'parcel',
            from: {
              phoneNumber: index < 10_100 ? `+1555100${1000 + (index % 200)}` : `+1555200${1000 + index}`,
            },
            creationTime: new Date(Date.UTC(2026, 0, 5) - index * 1000).toISOString(),
            readStatus: index === 10_150 ? 'Unread' : 'Read',
          }),
        ),
      ),
    );
    transaction(db, () => table.insert(messages.filter((one) => one.kind === 'message')));
    return (text: string, limit: number) =>
      [...searchMessages(db, text, limit, Date.parse)].map(({ id }) => Number(id));
  }

  it('finds the newest messages of a frequent prefix, and the few old ones of a rare prefix', () => {
    const search = manyMessages();
    expect(search('from:+1555100', 3)).toEqual([1, 2, 3]);
    expect(search('from:1555100 parcel', 3)).toEqual([2, 4, 6]);
    expect(search('from:+1555200', 3)).toEqual([10_101, 10_102, 10_103]);
    expect(search('from:+1555200 refund', 2)).toEqual([10_101, 10_103]);
    expect(search('from:+15552 -refund', 2)).toEqual([10_102, 10_104]);
    expect(search('from:+1555200', 1000)).toHaveLength(100);
    expect(search('from:+1777', 3)).toEqual([]);
    expect(search('is:unread refund from:+1555', 3)).toEqual([10_151]);
    expect(search('-from:+1555100 refund', 2)).toEqual([10_101, 10_103]);
    expect(search('refund -is:read', 2)).toEqual([10_151]);
  });
});

describe('marks in full text', () => {
  it('follow changes of a message', async () => {
    const { db } = newMirror();
    await sync(
      db,
      replies(replyText([message(1, { subject: 'refund' }), message(2, { subject: 'refund' })])).open,
    );
    const search = (text: string): readonly number[] =>
      [...searchMessages(db, text, 9, Date.parse)].map(({ id }) => Number(id));
    expect(search('refund is:unread')).toEqual([2, 1]);
    await sync(
      db,
      replies(
        replyText([
          message(1, { subject: 'refund', readStatus: 'Read', lastModifiedTime: '2026-01-05T10:00:00Z' }),
          { id: 2, availability: 'Deleted' },
        ]),
      ).open,
    );
    expect(search('refund is:unread')).toEqual([2]);
    expect(search('refund is:read')).toEqual([1]);
    expect(search('refund is:deleted')).toEqual([2]);
    await sync(db, replies(replyText([message(2, { subject: 'refund' })])).open, { full: true });
    expect(search('refund is:deleted')).toEqual([1]);
    expect(() =>
      db.exec("INSERT INTO message_fts (message_fts, rank) VALUES ('integrity-check', 1)"),
    ).not.toThrow();
  });
});

describe('words that look like filters', () => {
  it.each([
    ['refund -sender:+1555', 'sender'],
    ['From:zoe NUMBER:"+1 555"', 'NUMBER'],
    ['from:zoe with:+1555 12:30 https://example.com re: "a:b c"', undefined],
  ])('are recognized in %s', (search, found) => {
    expect(unknownFilter(search)).toBe(found);
  });
});
