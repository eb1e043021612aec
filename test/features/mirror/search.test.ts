import { describe, expect, it } from 'vitest';
import { SearchError, searchQuery } from '../../../src/features/mirror/index.ts';
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
  return (text: string, limit = 50) => {
    const { sql, values } = searchQuery(text, limit, seconds);
    return (db.prepare(sql).all(...values) as { readonly id: string }[]).map(({ id }) => Number(id));
  };
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

  it.each(['type:', 'after:soon', 'is:late', 'has:x', '-refund'])('refuses %s', async (text) => {
    const search = await copied();
    expect(() => search(text)).toThrow(SearchError);
  });
});
