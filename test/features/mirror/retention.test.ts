import { describe, expect, it } from 'vitest';
import { copyMedia } from '../../../src/features/mirror/index.ts';
import { hintText } from '../../../src/errors/hint.ts';
import { retentionWarnings } from '../../../src/features/mirror/retention.ts';
import { givesMedia, mediaOf, message, messagesOf, newMirror, replies, replyText, sync } from './replies.ts';

const day = 86_400_000;
const synced = Date.parse('2026-01-05T09:00:00.000Z');

async function warningsAfter(records: readonly object[], info: object = {}, now = synced) {
  const { db, file } = newMirror();
  await sync(db, replies(replyText(records, 'token', info)).open);
  return { db, file, warnings: retentionWarnings(db, now).map((text) => hintText(text)) };
}

describe('warnings before the service deletes what is not copied', () => {
  it('are absent if everything is copied', async () => {
    expect((await warningsAfter([message(1)])).warnings).toEqual([]);
  });

  it('spec:MESSAGE-27 name a mailbox that was not copied for days', async () => {
    const { warnings } = await warningsAfter([message(1)], {}, synced + 3 * day);
    expect(warnings).toMatchObject([
      expect.stringContaining('mailbox 7 was last synced more than 2 days ago'),
    ]);
  });

  it('name a mailbox by its number, and the command that copies it', async () => {
    const { db } = newMirror();
    const store = messagesOf(db);
    await store.saveMailboxes([
      { extensionId: '7', extensionNumber: '102', own: false },
      { extensionId: '8', extensionNumber: '101', own: true },
    ]);
    const texts = Array.from({ length: 4500 }, (_, index) => message(2000 + index));
    const older = { olderRecordsExist: true };
    const answers = replies(replyText(texts, 'all', older), replyText([], 'older', older));
    await sync(db, answers.open);
    const own = replyText([message(1)]).replaceAll('extension/7', 'extension/8');
    await sync(db, replies(own).open, { extensionId: '8' });
    const warnings = retentionWarnings(db, synced + 3 * day).map((text) => hintText(text));
    expect(warnings).toMatchObject([
      expect.stringMatching(/^mailbox 102 was last synced .* run ucctl sync --extension 102, because/),
      expect.stringMatching(/^mailbox 101 was last synced .* run ucctl sync, because/),
      expect.stringMatching(/of mailbox 102, .*: ucctl sync --extension 102 --full$/),
      expect.stringMatching(/^mailbox 102 has 4500 of at most 5000 inbound texts/),
    ]);
  });

  it('name no more messages than the service stores, if the copy has more', async () => {
    const texts = Array.from({ length: 21_000 }, (_, index) => message(10_000 + index));
    expect((await warningsAfter(texts)).warnings).toMatchObject([
      expect.stringContaining('has reached the maximum of 5000 inbound texts'),
    ]);
    // Only the newest 20,000 texts are counted.
    const sent = texts.slice(-4600).map((one) => Object.assign({}, one, { direction: 'Outbound' }));
    expect((await warningsAfter([...texts.slice(0, -4600), ...sent])).warnings).toMatchObject([
      expect.stringContaining('has reached the maximum of 5000 inbound texts'),
      expect.stringContaining('has at least 4600 of at most 5000 outbound texts'),
    ]);
  });

  it('name older messages outside of the scope', async () => {
    const { db } = newMirror();
    const older = { olderRecordsExist: true };
    const answers = replies(replyText([message(1)], 'week', older), replyText([], 'older', older));
    await sync(db, answers.open, { scope: { since: '7d' }, dateFrom: '2025-12-29T09:00:00.000Z' });
    const warnings = retentionWarnings(db, synced).map((text) => hintText(text));
    expect(warnings).toMatchObject([expect.stringContaining('lacks older messages of mailbox')]);
  });

  it('do not mention a scope whose messages another scope covers', async () => {
    const { db } = newMirror();
    const answers = replies(
      replyText([message(1)], 'week', { olderRecordsExist: true }),
      replyText([], 'older', { olderRecordsExist: true }),
      replyText([message(1)], 'all', { olderRecordsExist: false, syncTime: '2026-01-09T09:00:00.000Z' }),
    );
    await sync(db, answers.open, {
      scope: { messageType: 'SMS', since: '7d' },
      dateFrom: '2025-12-29T09:00:00.000Z',
    });
    expect(retentionWarnings(db, synced + 4 * day)).toHaveLength(2);
    await sync(db, answers.open);
    expect(retentionWarnings(db, synced + 4 * day)).toEqual([]);
  });

  it('spec:CLIENT-37, MESSAGE-31 name a mailbox that is nearly full', async () => {
    const voicemails = Array.from({ length: 180 }, (_, index) =>
      message(1000 + index, { type: 'VoiceMail' }),
    );
    const texts = Array.from({ length: 4500 }, (_, index) => message(2000 + index));
    expect((await warningsAfter([...voicemails, ...texts])).warnings).toMatchObject([
      expect.stringContaining('has 4500 of at most 5000 inbound texts'),
      expect.stringContaining('has 180 of at most 200 unread voicemails'),
    ]);
    expect((await warningsAfter(voicemails.slice(1))).warnings).toEqual([]);
  });

  it('spec:CLIENT-37 name sent faxes whose pages are not copied, until they are', async () => {
    const fax = message(1, {
      type: 'Fax',
      direction: 'Outbound',
      creationTime: '2025-12-08T09:00:00.000Z',
      attachments: [{ id: 1, uri: 'https://service.example/content/1', contentType: 'application/pdf' }],
    });
    const { db, file, warnings } = await warningsAfter([fax]);
    expect(warnings).toMatchObject([expect.stringContaining('ucctl sync --media')]);
    await copyMedia(messagesOf(db), mediaOf(file), '7', givesMedia('%PDF'));
    expect(retentionWarnings(db, synced)).toEqual([]);
  });
});
