import { describe, expect, it } from 'vitest';
import type { CallLogRecord } from '../../../../src/contract/call-log.ts';
import {
  copyMedia,
  everyMessage,
  retryErrors,
  SearchError,
  syncScope,
  tidyMedia,
  verifyWhole,
  type FetchMedia,
} from '../../../../src/features/mirror/index.ts';
import { hintText } from '../../../../src/errors/hint.ts';
import type { Archive } from '../../../../src/store/archive.ts';
import type { MediaStore } from '../../../../src/store/media-store.ts';
import { eventually } from '../../../support/eventually.ts';
import { postgresMissing } from '../../../support/postgres.ts';
import { givesMedia, message, limitedService, replies, replyText } from '../replies.ts';
import { engines, listOf, newArchive } from './archives.ts';

const now = Date.UTC(2026, 0, 5, 10);
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 5, 9, minute)).toISOString();

function sync(
  { messages }: Archive,
  texts: readonly string[],
  more: Partial<Parameters<typeof syncScope>[2]> = {},
) {
  const options = { extensionId: '7', scope: {}, onDelete: 'mark', now: () => now, ...more } as const;
  return syncScope(messages, replies(...texts).open, options);
}

async function rowsOf({ messages }: Archive): Promise<readonly unknown[]> {
  const { rows } = await messages.query(
    'select id, extension_id, type, direction, availability, missing_since, read_status, creation_time, conversation_id, from_number, to_numbers, text, attachments, raw from v_message order by extension_id, id',
  );
  const all = await listOf(rows);
  return all.map((row) => Object.assign({}, row, { attachments: Number(row['attachments'] ?? -1) }));
}

function readTime(time: string): number | undefined {
  const value = Date.parse(time);
  return Number.isNaN(value) ? undefined : value;
}

async function found({ messages }: Archive, text: string): Promise<readonly string[]> {
  const rows = await messages.search(text, 50, readTime);
  return (await listOf(rows)).map(({ id }) => id);
}

/** The messages that an export with a search contains, newest first. */
async function exported({ messages }: Archive, text: string): Promise<readonly string[]> {
  const rows = messages.changedAfter(0, messages.select(text, readTime));
  return (await listOf(rows)).map(({ id }) => id).toReversed();
}

/**
 * Returns the position after all stored messages. Another test may still run an older transaction on the same server,
 * which holds the position back.
 */
function latestPosition(messages: Archive['messages']): Promise<number> {
  return eventually(async () => {
    const position = await messages.position();
    expect(await listOf(messages.changedAfter(position, everyMessage))).toEqual([]);
    return position;
  });
}

function voicemail(id: number, uri: string) {
  const attachments = [{ id, uri, type: 'AudioRecording', contentType: 'audio/mpeg' }];
  return message(id, { type: 'VoiceMail', subject: undefined, creationTime: at(id), attachments });
}

function callWith(phoneNumber: string): CallLogRecord {
  return {
    uri: `https://service.example/restapi/v1.0/account/1/call-log/${phoneNumber}`,
    id: phoneNumber,
    sessionId: '1',
    startTime: at(0),
    duration: 10,
    type: 'Voice',
    direction: 'Inbound',
    action: 'Phone Call',
    result: 'Accepted',
    from: { phoneNumber },
  };
}

/** A media store whose members a test can replace. */
function storeOf(media: MediaStore): MediaStore {
  return {
    location: media.location,
    unfinished: media.unfinished,
    put: (...content) => media.put(...content),
    read: (sha256) => media.read(sha256),
    has: (sha256) => media.has(sha256),
    hash: (sha256) => media.hash(sha256),
    remove: (sha256) => media.remove(sha256),
  };
}

/** Purges a voicemail, and adds another one with the same content, which is not copied. @returns the hash of the content */
async function unusedContent(archive: Archive): Promise<string> {
  const { messages, media } = archive;
  await sync(archive, [replyText([voicemail(4, 'https://x.example/4')])]);
  await copyMedia(messages, media, '7', givesMedia('sound'));
  const [sha256 = ''] = await listOf(messages.mediaHashes());
  const purged = [{ id: 4, availability: 'Purged' }, voicemail(5, 'https://x.example/5')];
  await sync(archive, [replyText(purged, 'token-2')]);
  expect(await messages.mediaGarbage()).toEqual([sha256]);
  return sha256;
}

/** Messages that use each kind of a search. */
const searched = [
  message(1, { subject: 'Refund for the café', creationTime: at(1) }),
  message(2, { subject: 'refunds tomorrow', readStatus: 'Read', creationTime: at(2) }),
  message(3, { subject: 'noon at the station', type: 'Pager', creationTime: at(3) }),
  message(4, {
    type: 'VoiceMail',
    subject: undefined,
    creationTime: at(4),
    from: { phoneNumber: '+14155550123', name: 'Zoë Quinn' },
    attachments: [{ id: 4, uri: 'https://x.example/4', type: 'AudioRecording', contentType: 'audio/mpeg' }],
  }),
  message(5, {
    subject: 'call me tomorrow',
    direction: 'Outbound',
    creationTime: at(5),
    to: [{ phoneNumber: '+15555550199', name: 'Bob' }],
    from: { extensionNumber: '101', name: 'Alice' },
  }),
];
const searches: readonly (readonly [string, readonly string[]])[] = [
  ['refund', ['1']],
  ['refund*', ['2', '1']],
  ['CAFE', ['1']],
  ['"the station"', ['3']],
  ['"station the"', []],
  ['tomorrow -call', ['2']],
  ['from:+14155550123', ['4']],
  ['from:zoe', ['4']],
  ['from:1415', ['4']],
  ['from:"+1 (415) 555-0123"', ['4']],
  ['from:"+1 (415) 555-0124"', []],
  ['from:415-555-0123', ['4']],
  ['from:(415)555', []],
  ['with:4155550123', ['4']],
  ['with:555-0123 -with:415.555.0123', []],
  ['to:bob', ['5']],
  ['with:101', ['5']],
  ['type:voicemail', ['4']],
  ['has:attachment', ['4']],
  ['is:out', ['5']],
  ['is:read', ['2']],
  ['-is:read refund*', ['1']],
  [`after:${at(3)}`, ['5', '4', '3']],
  [`before:${at(2)}`, ['1']],
  ['mailbox:7 tomorrow', ['5', '2']],
  ['mailbox:8 tomorrow', []],
  ['mailbox:7 -tomorrow', ['4', '3', '1']],
  [`after:${at(2)} -tomorrow -station`, ['4']],
  [`-after:${at(3)} -refund -!`, ['2']],
  ["it's; drop table", []],
  ['', ['5', '4', '3', '2', '1']],
];

describe.each(engines)('a message store on %s', (engine) => {
  describe.skipIf(engine === 'postgres' ? postgresMissing() : undefined)('with its contract', () => {
    it('stores what a sync writes, and keeps it if the sync fails', async () => {
      const archive = await newArchive(engine);
      const { messages } = archive;
      expect(await messages.syncing(() => sync(archive, [replyText([message(1)])]))).toMatchObject({
        added: 1,
      });
      const failing = messages.syncing(async () => {
        await sync(archive, [replyText([message(2)], 'token-2')]);
        throw new Error('no network');
      });
      await expect(failing).rejects.toThrow('no network');
      expect(await messages.syncing(() => Promise.resolve('nothing to store'))).toBe('nothing to store');
      expect((await rowsOf(archive)).length).toBe(2);
    });

    it('adds, changes, marks and removes messages', async () => {
      const archive = await newArchive(engine);
      const first = [
        message(1, { subject: 'tab\there\nand \\ "quoted" 😀' }),
        message(2, { subject: 'zero\0here' }),
        message(3),
      ];
      expect(await sync(archive, [replyText(first)])).toMatchObject({
        syncType: 'FSync',
        received: 3,
        added: 3,
        changed: 0,
        vanished: 0,
      });
      const second = [
        message(1, { readStatus: 'Read', lastModifiedTime: at(9) }),
        message(3),
        { id: 2, availability: 'Purged' },
        { id: 99, availability: 'Deleted' },
      ];
      expect(await sync(archive, [replyText(second, 'token-2')])).toMatchObject({
        syncType: 'ISync',
        added: 0,
        changed: 1,
        unchanged: 1,
        purged: 1,
        deleted: 0,
      });
      expect(await rowsOf(archive)).toMatchObject([
        { id: '1', read_status: 'Read', attachments: 0 },
        {
          id: '2',
          availability: 'Purged',
          text: null,
          attachments: -1,
          raw: '{"id":"2","availability":"Purged"}',
        },
        { id: '3', availability: 'Alive' },
      ]);
      expect(await archive.messages.streams()).toMatchObject([{ extensionId: '7', syncToken: 'token-2' }]);
      expect(await archive.messages.status(now)).toMatchObject([
        { mailbox: '7', messages: 2, deleted: 1, errors: 0, lagSeconds: 3600 },
      ]);
    });

    it('stores an older record only in a full sync', async () => {
      const archive = await newArchive(engine);
      const newer = message(1, { subject: 'newer', lastModifiedTime: at(20) });
      const older = message(1, { subject: 'older', lastModifiedTime: at(10) });
      await sync(archive, [replyText([older, newer, older])]);
      expect(await rowsOf(archive)).toMatchObject([{ text: 'newer' }]);
      expect(await sync(archive, [replyText([older], 'token-2')])).toMatchObject({ unchanged: 1 });
      expect(await sync(archive, [replyText([older], 'token-3')], { full: true })).toMatchObject({
        changed: 1,
      });
      expect(await rowsOf(archive)).toMatchObject([{ text: 'older' }]);
    });

    it('stores the record of the later reply if the times are equal', async () => {
      const archive = await newArchive(engine);
      await sync(archive, [replyText([message(1, { subject: 'one' }), message(1, { subject: 'two' })])]);
      expect(await rowsOf(archive)).toMatchObject([{ text: 'two' }]);
      const later = message(1, { subject: 'three' });
      expect(await sync(archive, [replyText([later], 'token-2')])).toMatchObject({ changed: 1 });
      expect(await rowsOf(archive)).toMatchObject([{ text: 'three' }]);
    });

    it('restores a message that the service returns again unchanged', async () => {
      const archive = await newArchive(engine);
      const both = [message(1), message(2)];
      await sync(archive, [replyText(both)]);
      const stored = await rowsOf(archive);
      await sync(archive, [replyText([{ id: 1, availability: 'Deleted' }], 'token-2')]);
      await sync(archive, [replyText([], 'token-3')], { full: true });
      expect(await rowsOf(archive)).toMatchObject([{ availability: 'Deleted' }, { availability: 'Alive' }]);
      expect(await found(archive, 'is:deleted')).toEqual(['2', '1']);
      expect(await sync(archive, [replyText(both, 'token-4')])).toMatchObject({ changed: 2, unchanged: 0 });
      expect(await rowsOf(archive)).toEqual(stored);
      expect(await found(archive, '-is:deleted text')).toEqual(['2', '1']);
      expect(await found(archive, 'is:deleted')).toEqual([]);
      const { rows } = await archive.messages.query('select message_id from message_version');
      expect(await listOf(rows)).toEqual([]);
    });

    it('reports a vanished message once, also after full syncs without changes', async () => {
      const archive = await newArchive(engine);
      const full = { full: true };
      await sync(archive, [replyText([message(1), message(2)])]);
      await sync(archive, [replyText([message(1), message(2)], 'token-2')], full);
      const left = [message(1)];
      expect(await sync(archive, [replyText(left, 'token-3')], full)).toMatchObject({ vanished: 1 });
      const stored = await rowsOf(archive);
      const later = { ...full, now: () => now + 60_000 };
      expect(await sync(archive, [replyText(left, 'token-4')], later)).toMatchObject({ vanished: 0 });
      expect(await rowsOf(archive)).toEqual(stored);
    });

    it('removes only messages with the type and direction of the scope', async () => {
      const archive = await newArchive(engine);
      const fax = message(3, { type: 'Fax' });
      const sent = message(4, { direction: 'Outbound' });
      await sync(archive, [replyText([message(1), message(2), fax, sent])]);
      const scope = { messageType: 'SMS', direction: 'Inbound' };
      const report = await sync(archive, [replyText([message(1)])], { scope, onDelete: 'purge' });
      expect(report).toMatchObject({ vanished: 1 });
      expect(await rowsOf(archive)).toMatchObject([{ id: '1' }, { id: '3' }, { id: '4' }]);
    });

    it('removes the messages of a mailbox that an earlier sync with another policy marked', async () => {
      const archive = await newArchive(engine);
      const deleted = [{ id: 1, availability: 'Deleted' }];
      const purged = { id: 4, availability: 'Purged' };
      await sync(archive, [replyText([message(1), message(2), message(3), message(4)])]);
      await sync(archive, [replyText([...deleted, purged], 'token-2')]);
      await sync(archive, [replyText([message(3)], 'token-3')], { full: true });
      const other = (text: string): string => text.replace('/extension/7/', '/extension/8/');
      const otherReplies = [replyText([message(1)]), replyText(deleted, 'token-2')].map(other);
      for (const reply of otherReplies) await sync(archive, [reply], { extensionId: '8' });
      expect(await rowsOf(archive)).toHaveLength(5);
      expect(await archive.messages.removable(['7'])).toBe(3);
      expect(await archive.messages.removable(['7', '8'])).toBe(4);
      const report = await sync(archive, [replyText([], 'token-4')], { onDelete: 'purge' });
      expect(report).toMatchObject({ received: 0, deleted: 1, purged: 1, vanished: 1 });
      expect(await rowsOf(archive)).toMatchObject([{ id: '3' }, { id: '1', extension_id: '8' }]);
    });

    it('keeps what a full sync found out until the next full sync', async () => {
      const archive = await newArchive(engine);
      const { messages } = archive;
      const scope = { maxRecords: 1 };
      const reply = (token: string, info: object): string => replyText([message(1)], token, info);
      await sync(archive, [reply('token-1', { olderRecordsExist: true, syncTime: at(10) })], { scope });
      await sync(archive, [reply('token-2', { syncTime: at(20) })], { scope });
      expect(await messages.status(now)).toMatchObject([{ syncTime: at(20), fullSyncTime: at(10) }]);
      await sync(archive, [reply('token-3', { syncTime: at(30) })], { scope, full: true });
      expect(await messages.status(now)).toMatchObject([{ syncTime: at(30), fullSyncTime: at(30) }]);
      expect(await messages.retentionWarnings(now)).toHaveLength(1);
    });

    it.each(['keep', 'mark', 'purge'] as const)(
      'handles deleted messages by the policy %s',
      async (onDelete) => {
        const archive = await newArchive(engine);
        await sync(archive, [replyText([message(1), message(2), message(3), message(4)])], { onDelete });
        const gone = [
          { id: 1, availability: 'Deleted' },
          { id: 2, availability: 'Purged' },
        ];
        await sync(archive, [replyText(gone, 'token-2')], { onDelete });
        const report = await sync(archive, [replyText([message(3)], 'token-3')], { onDelete, full: true });
        expect(report.vanished).toBe(1);
        const left = (await rowsOf(archive)) as readonly Readonly<Record<string, unknown>>[];
        expect(
          left.map(({ id, availability, missing_since: since, text }) => [
            id,
            availability,
            since !== null,
            text,
          ]),
        ).toEqual(
          onDelete === 'purge'
            ? [['3', 'Alive', false, 'text 3']]
            : [
                ['1', 'Deleted', false, 'text 1'],
                ['2', 'Purged', false, onDelete === 'keep' ? 'text 2' : null],
                ['3', 'Alive', false, 'text 3'],
                ['4', 'Alive', true, 'text 4'],
              ],
        );
      },
    );

    it('does not store a whole record of a deleted message with the policy purge', async () => {
      const archive = await newArchive(engine);
      const purge = { onDelete: 'purge' } as const;
      await sync(archive, [replyText([message(1), message(2)])], purge);
      const deleted = [1, 3].map((id) => message(id, { availability: 'Deleted' }));
      expect(await sync(archive, [replyText(deleted, 'token-2')], purge)).toMatchObject({
        added: 0,
        changed: 0,
        deleted: 1,
      });
      expect(await rowsOf(archive)).toMatchObject([{ id: '2' }]);
    });

    it('repairs with a full sync, and stores nothing of a truncated reply', async () => {
      const archive = await newArchive(engine);
      await sync(archive, [replyText([message(1)])]);
      const cut = replyText(Array.from({ length: 5000 }, (_, index) => message(10 + index))).slice(0, -200);
      await expect(sync(archive, [cut])).rejects.toThrow('truncated');
      expect(await rowsOf(archive)).toHaveLength(1);
      expect(await archive.messages.streams()).toMatchObject([{ syncToken: 'token-1' }]);
    });

    it('stores a message of type Text as a text, with its unchanged record', async () => {
      const archive = await newArchive(engine);
      const record = message(1, { type: 'Text' });
      await sync(archive, [replyText([record])], { scope: { messageType: 'SMS' } });
      const raw = JSON.stringify(record);
      expect(await rowsOf(archive)).toMatchObject([{ type: 'SMS', raw }]);
      expect(await found(archive, 'type:sms')).toEqual(['1']);
      const again = { scope: { messageType: 'SMS' }, full: true } as const;
      expect(await sync(archive, [replyText([], 'token-2')], again)).toMatchObject({ vanished: 1 });
    });

    it('spec:CURRENT-17 keeps shared messages after a full sync without them, and not after one with them', async () => {
      const archive = await newArchive(engine);
      const shared = [
        message(2, { extensionId: '201' }),
        message(3, { owner: { extensionId: '201', name: 'Support' } }),
      ];
      const own = message(1, { extensionId: 7 });
      await sync(archive, [replyText([own, message(4), ...shared])]);
      const personal = { full: true, isPersonal: true, onDelete: 'purge' } as const;
      expect(await sync(archive, [replyText([], 'token-2')], personal)).toMatchObject({ vanished: 2 });
      expect(await rowsOf(archive)).toMatchObject([
        { id: '2', missing_since: null },
        { id: '3', missing_since: null },
      ]);
      const whole = { full: true, onDelete: 'purge' } as const;
      expect(await sync(archive, [replyText([], 'token-3')], whole)).toMatchObject({ vanished: 2 });
      expect(await rowsOf(archive)).toEqual([]);
    });

    it('stores a message of type Voicemail as a voicemail, with its unchanged record', async () => {
      const archive = await newArchive(engine);
      const record = message(1, { type: 'Voicemail' });
      await sync(archive, [replyText([record])], { scope: { messageType: 'VoiceMail' } });
      expect(await rowsOf(archive)).toMatchObject([{ type: 'VoiceMail', raw: JSON.stringify(record) }]);
      expect(await found(archive, 'type:voicemail')).toEqual(['1']);
    });

    it('merges a reply with many records', async () => {
      const archive = await newArchive(engine);
      const many = Array.from({ length: 5000 }, (_, index) =>
        message(10_000 + index, { creationTime: at(index % 50) }),
      );
      const again = message(10_000, { creationTime: at(0), subject: 'returned twice' });
      expect(await sync(archive, [replyText([...many, again])])).toMatchObject({ added: 5000 });
      expect(await found(archive, 'twice')).toEqual(['10000']);
      expect(await sync(archive, [replyText(many, 'token-2')], { full: true })).toMatchObject({
        added: 0,
        changed: 1,
        unchanged: 4999,
        vanished: 0,
      });
    });

    it('keeps messages that a limited full sync may have omitted', async () => {
      const archive = await newArchive(engine);
      const others = [message(9, { creationTime: at(1) }), message(3, { creationTime: at(0) })];
      const latest = message(1, { creationTime: at(1) });
      const erased = message(4, { from: { phoneNumber: '+15555550142' }, creationTime: at(2) });
      await sync(archive, [replyText([...others, latest])]);
      const options = { scope: { maxRecords: 1 }, full: true, onDelete: 'purge' } as const;
      expect(await sync(archive, [replyText([latest], 'token-2')], options)).toMatchObject({ vanished: 0 });
      await archive.messages.erase('+15555550142', now);
      expect(await sync(archive, [replyText([erased], 'token-3')], options)).toMatchObject({ vanished: 0 });
      expect(await rowsOf(archive)).toHaveLength(3);
    });

    it('counts a record that is too large as one of --max-records', async () => {
      const archive = await newArchive(engine);
      const newest = message(4, { creationTime: at(2) });
      const tooLarge = message(3, { creationTime: at(1), subject: 'x'.repeat(9_000_000) });
      await sync(archive, [replyText([newest, message(1, { creationTime: at(0) })])]);
      const options = { scope: { maxRecords: 2 }, onDelete: 'purge' } as const;
      expect(await sync(archive, [replyText([newest, tooLarge])], options)).toMatchObject({
        errors: 1,
        vanished: 0,
      });
      expect(await rowsOf(archive)).toHaveLength(2);
    });

    describe('with a service that returns only the newest messages of a full sync', () => {
      const all = Array.from({ length: 12 }, (_, index) => message(100 + index, { creationTime: at(index) }));
      const options = { extensionId: '7', scope: {}, onDelete: 'purge', now: () => now } as const;

      it('spec:SYNC-9 requests the older messages, and removes only those that the service no longer has', async () => {
        const archive = await newArchive(engine);
        const first = limitedService(all, 5);
        const copied = await syncScope(archive.messages, first.open, options);
        expect(copied).toMatchObject({ added: 12, vanished: 0, olderRecordsExist: false });
        expect(first.asked.map(({ dateTo }) => dateTo)).toEqual([
          undefined,
          new Date(Date.parse(at(7)) + 1000).toISOString(),
          new Date(Date.parse(at(3)) + 1000).toISOString(),
        ]);
        expect(await archive.messages.retentionWarnings(now)).toEqual([]);
        expect(await verifyWhole(archive.messages, limitedService(all, 5).open)).toMatchObject([
          { checked: 12, wrong: 0 },
        ]);
        expect(await archive.messages.streams()).toMatchObject([{ syncToken: 'token-1' }]);
        const left = all.filter(({ id }) => id !== 101);
        const again = await syncScope(archive.messages, limitedService(left, 5).open, {
          ...options,
          full: true,
        });
        expect(again).toMatchObject({ added: 0, vanished: 1 });
        expect(await rowsOf(archive)).toHaveLength(11);
      });

      it('requests the older messages if the replies are too large to be read ahead', async () => {
        const archive = await newArchive(engine);
        const large = all.map((one, index) => (index < 7 ? { ...one, subject: 'x'.repeat(700_000) } : one));
        const first = limitedService(large, 5);
        expect(await syncScope(archive.messages, first.open, options)).toMatchObject({
          added: 12,
          olderRecordsExist: false,
        });
        expect(first.asked).toHaveLength(3);
      });

      it('removes no messages that the service does not return on request', async () => {
        const archive = await newArchive(engine);
        await sync(archive, [replyText(all)], options);
        const newest = all.slice(-5).filter(({ id }) => id !== 109);
        const reply = replyText(newest, 'token-2', { olderRecordsExist: true });
        const replies = [reply, reply, reply];
        expect(await sync(archive, replies, { ...options, full: true })).toMatchObject({ vanished: 1 });
        expect(await rowsOf(archive)).toHaveLength(11);
        const [warning, ...others] = await archive.messages.retentionWarnings(now);
        expect(hintText(warning ?? '')).toContain('because the service did not return them');
        expect(hintText(warning ?? '')).not.toContain('--since');
        expect(others).toEqual([]);
      });

      it('removes no older messages if it returns fewer than --max-records', async () => {
        const archive = await newArchive(engine);
        await sync(archive, [replyText(all)], options);
        const left = all.filter(({ id }) => id !== 109);
        const limited = limitedService(left, 5);
        expect(
          await syncScope(archive.messages, limited.open, { ...options, scope: { maxRecords: 10 } }),
        ).toMatchObject({ vanished: 1, olderRecordsExist: true });
        expect(limited.asked).toHaveLength(1);
        expect(await rowsOf(archive)).toHaveLength(11);
      });

      it('removes no message of a second with more messages than a reply', async () => {
        const archive = await newArchive(engine);
        const crowded = all.map((one, index) => (index < 4 ? one : { ...one, creationTime: at(4) }));
        await sync(archive, [replyText(crowded)], options);
        const again = await syncScope(archive.messages, limitedService(crowded, 5).open, {
          ...options,
          full: true,
        });
        expect(again).toMatchObject({ vanished: 0, olderRecordsExist: true });
        expect(await rowsOf(archive)).toHaveLength(12);
      });

      it('finds the end of a scope with --since, before which the service has older messages', async () => {
        const archive = await newArchive(engine);
        const scope = { since: '2026-01-05T09:10:00Z' };
        const since = { ...options, scope, dateFrom: at(10) };
        await sync(archive, [replyText(all.slice(10))], since);
        const reply = replyText(all.slice(11), 'token-2', { olderRecordsExist: true });
        const none = replyText([], 'token-3', { olderRecordsExist: true });
        const again = await sync(archive, [reply, reply, none], { ...since, full: true });
        expect(again).toMatchObject({ vanished: 1, olderRecordsExist: true });
        const [warning] = await archive.messages.retentionWarnings(now);
        expect(hintText(warning ?? '')).toContain('sync without --since');
        await sync(archive, [replyText([], 'token-4', { olderRecordsExist: false })], since);
        expect(await archive.messages.retentionWarnings(now)).toEqual([]);
      });

      it('does not report older messages because of an incremental sync', async () => {
        const archive = await newArchive(engine);
        await syncScope(archive.messages, limitedService(all, 5).open, options);
        await sync(archive, [replyText([], 'token-4', { olderRecordsExist: true })], options);
        expect(await archive.messages.retentionWarnings(now)).toEqual([]);
      });
    });

    it('records problems, and settles them', async () => {
      const archive = await newArchive(engine);
      expect(await sync(archive, [replyText([message(1), { id: 2, availability: 'Alive' }])])).toMatchObject({
        added: 1,
        errors: 1,
      });
      const lines = retryErrors(archive.messages, () => Promise.resolve(JSON.stringify(message(2))), {
        onDelete: 'mark',
        now,
      });
      expect(await listOf(lines)).toMatchObject([{ messageId: '2', status: 'copied' }]);
      expect(await archive.messages.problems()).toEqual([]);
      expect(await rowsOf(archive)).toHaveLength(2);
    });

    it('settles a record that still cannot be read, no longer exists, or has no ID', async () => {
      const archive = await newArchive(engine);
      const { messages } = archive;
      const unreadable = [2, 3, undefined].map((id) => ({ id, availability: 'Alive' }));
      await sync(archive, [replyText(unreadable)]);
      const fetchMessage = (_extensionId: string, id: string) =>
        Promise.resolve(id === '2' ? JSON.stringify(unreadable[0]) : undefined);
      const lines = await listOf(retryErrors(messages, fetchMessage, { onDelete: 'mark', now }));
      const statuses = lines.map(({ messageId, status }) => [messageId, status] as const);
      expect(new Map(statuses)).toEqual(
        new Map([
          ['2', 'failed'],
          ['3', 'not found'],
          [null, 'needs a full sync'],
        ]),
      );
      const left = (await messages.problems()).map(({ messageId }) => messageId);
      expect(new Set(left)).toEqual(new Set(['2', null]));
    });

    it('does not replace a message by an older record on request', async () => {
      const archive = await newArchive(engine);
      await sync(archive, [replyText([{ id: 1, availability: 'Alive' }])]);
      const newer = message(1, { subject: 'newer', lastModifiedTime: at(5) });
      await sync(archive, [replyText([newer], 'token-2')]);
      const fetchMessage = () => Promise.resolve(JSON.stringify(message(1, { lastModifiedTime: at(1) })));
      const lines = retryErrors(archive.messages, fetchMessage, { onDelete: 'mark', now });
      expect(await listOf(lines)).toMatchObject([{ messageId: '1', status: 'copied' }]);
      expect(await rowsOf(archive)).toMatchObject([{ id: '1', text: 'newer' }]);
    });

    it('stores everything with U+0000 of the service', async () => {
      const archive = await newArchive(engine);
      const { messages, calls, media } = archive;
      const attachment = {
        id: 4,
        uri: 'https://x.example/4',
        contentType: 'image/png',
        type: 'MmsAttachment',
      };
      const named = message(1, { attachments: [{ ...attachment, fileName: 'a\0.png' }] });
      const reply = replyText([named, { id: 2, damaged: 'here' }]).replace('"here"', '\0');
      expect(await sync(archive, [reply])).toMatchObject({ added: 1, errors: 1 });
      expect(await messages.problems()).toMatchObject([
        { messageId: '2', problem: expect.stringContaining('the record is not JSON') },
      ]);
      expect(await copyMedia(messages, media, '7', givesMedia('pixels'))).toEqual({ copied: 1, failed: 0 });
      await messages.saveMailboxes([{ extensionId: '7', extensionNumber: '107', name: 'Zero\0', own: true }]);
      await calls.prepare();
      await calls.saveExtensions([{ id: '7', extensionNumber: '107', name: 'Zero\0', type: 'User' }]);
      expect((await messages.ownMailbox())?.name).toMatch(/^Zero/);
    });

    it('rejects messages of times that no key can represent', async () => {
      const archive = await newArchive(engine);
      const far = { creationTime: '9999-12-31T23:59:59.000Z' };
      const reply = replyText([message(1, far), message(2, far), message(3)]);
      expect(await sync(archive, [reply])).toMatchObject({ added: 1, errors: 2 });
      expect(await exported(archive, '')).toEqual(['3']);
      expect(await archive.messages.problems()).toMatchObject([
        { messageId: '1', problem: 'the message has no valid creationTime' },
        { messageId: '2' },
      ]);
    });

    it.each(['mark', 'purge'] as const)(
      'keeps a message whose record in a full sync cannot be read, with the policy %s',
      async (onDelete) => {
        const archive = await newArchive(engine);
        await sync(archive, [replyText([message(1), message(2), message(3)])], { onDelete });
        const stored = await rowsOf(archive);
        const unreadable = { id: 2, availability: 'Alive' };
        expect(
          await sync(archive, [replyText([message(1), unreadable], 'token-2')], { onDelete, full: true }),
        ).toMatchObject({ vanished: 1, errors: 1 });
        expect((await rowsOf(archive)).slice(0, 2)).toEqual(stored.slice(0, 2));
        expect((await archive.messages.problems()).map(({ messageId }) => messageId)).toEqual(['2']);
      },
    );

    it('replaces the problems of earlier syncs in a full sync', async () => {
      const archive = await newArchive(engine);
      const { messages } = archive;
      const bad = { id: 2, availability: 'Alive' };
      const nameless = { type: 'SMS' };
      const problemIds = async () => (await messages.problems()).map(({ messageId }) => messageId);
      const first = await sync(archive, [replyText([message(1), bad, nameless])]);
      expect(first).toMatchObject({ errors: 2 });
      expect(await sync(archive, [replyText([], 'token-2')])).toMatchObject({ syncType: 'ISync' });
      expect(await problemIds()).toEqual(['2', null]);
      await sync(archive, [replyText([message(1), bad, nameless], 'token-3')], { full: true });
      expect(await problemIds()).toEqual(['2', null]);
      await sync(archive, [replyText([message(1), message(2)], 'token-4')], { full: true });
      expect(await problemIds()).toEqual([]);
    });

    it('keeps the problems of records that a cut full sync does not return', async () => {
      const archive = await newArchive(engine);
      const scope = { maxRecords: 2 };
      const bad = { id: 2, availability: 'Alive' };
      const more = { scope, full: true };
      await sync(archive, [replyText([bad, { type: 'SMS' }])], more);
      await sync(archive, [replyText([message(3), message(4)], 'token-2')], more);
      const left = await archive.messages.problems();
      expect(left.map(({ messageId }) => messageId)).toEqual(['2']);
      await sync(archive, [replyText([message(4), bad], 'token-3')], more);
      expect(await archive.messages.problems()).toHaveLength(1);
    });

    it('finds the same messages for the same search', async () => {
      const archive = await newArchive(engine);
      await sync(archive, [replyText(searched)]);
      for (const [text, ids] of searches) {
        expect([text, await found(archive, text)]).toEqual([text, ids]);
        expect([text, await exported(archive, text)]).toEqual([text, ids]);
      }
      await expect(found(archive, '-refund -is:read')).rejects.toBeInstanceOf(SearchError);
      await expect(found(archive, 'type:foo')).rejects.toBeInstanceOf(SearchError);
    });

    it('finds numbers with a trunk prefix or an international prefix', async () => {
      const archive = await newArchive(engine);
      const numbers = ['+447911123456', '+390612345678', '+15555550100', '+3619876543'];
      await sync(archive, [
        replyText(numbers.map((phoneNumber, index) => message(index + 1, { from: { phoneNumber } }))),
      ]);
      for (const [text, ids] of [
        ['from:07911123456', ['1']],
        ['from:"07911 123456"', ['1']],
        ['from:"+44 (0)7911 123456"', ['1']],
        ['from:+4407911123456', ['1']],
        ['from:+4407911123456 is:in', ['1']],
        ['is:out from:+4407911123456', []],
        ['from:00447911123456', ['1']],
        ['from:"011 44 7911 123456"', ['1']],
        ['from:07911123457', []],
        ['from:"+44 (0)7911 123457"', []],
        ['with:07911123456 -with:"+44 (0)7911 123456"', []],
        ['is:in -with:07911123456', ['4', '3', '2']],
        ['is:in -with:+4407911123456', ['4', '3', '2']],
        ['from:"06 1234 5678"', ['2']],
        ['from:+390612345678', ['2']],
        ['from:"06 1 987 6543"', ['4']],
        ['from:"+36 (06) 1 987 6543"', ['4']],
        ['from:"(0)"', []],
        ['from:00000000', []],
      ] as const)
        expect([text, await found(archive, text)]).toEqual([text, ids]);
    });

    it('finds words with each form of a Greek sigma', async () => {
      const archive = await newArchive(engine);
      const subjects = ['ΟΔΟΣ', 'οδοσημανση', 'οδος Αθηνας'];
      await sync(archive, [
        replyText(subjects.map((subject, index) => message(index + 1, { subject, creationTime: at(index) }))),
      ]);
      for (const [text, ids] of [
        ['οδος', ['3', '1']],
        ['ΟΔΟΣ*', ['3', '2', '1']],
        ['οδοσ*', ['3', '2', '1']],
        ['"οδος αθηνας*"', ['3']],
        ['οδοσημ*', ['2']],
      ] as const)
        expect([text, await found(archive, text)]).toEqual([text, ids]);
    });

    it('selects the messages of a search for an export, and those that changed since', async () => {
      const archive = await newArchive(engine);
      const { messages } = archive;
      await sync(archive, [replyText(searched)]);
      const selection = messages.select('refund*', () => undefined);
      expect((await listOf(messages.changedAfter(0, selection))).map(({ id }) => id)).toEqual(['1', '2']);
      const position = await latestPosition(messages);
      await sync(archive, [replyText([message(6, { creationTime: at(0) })], 'token-2')]);
      expect((await listOf(messages.changedAfter(position, everyMessage))).map(({ id }) => id)).toEqual([
        '6',
      ]);
      await messages.saveExportState({ target: '/x', format: 'csv', filter: '', runId: position, bytes: 12 });
      expect(await messages.exportState({ target: '/x', format: 'csv', filter: '' })).toMatchObject({
        runId: position,
        bytes: 12,
      });
      await expect(messages.exportState({ target: '/x', format: 'csv', filter: 'a' })).rejects.toThrow(
        'export of all messages',
      );
    });

    it('selects messages for the next export that changed, were deleted or vanished since', async () => {
      const archive = await newArchive(engine);
      const { messages } = archive;
      await sync(archive, [replyText([1, 2, 3, 4].map((id) => message(id)))]);
      const position = await latestPosition(messages);
      const changed = message(3, { readStatus: 'Read', lastModifiedTime: at(9) });
      await sync(archive, [replyText([{ id: 1, availability: 'Deleted' }, changed], 'token-2')]);
      await sync(archive, [replyText([changed, message(4)], 'token-3')], { full: true });
      const rows = await listOf(messages.changedAfter(position, everyMessage));
      expect(rows.map(({ id }) => id).toSorted()).toEqual(['1', '2', '3']);
    });

    it('returns the thread of a message', async () => {
      const archive = await newArchive(engine);
      const { messages } = archive;
      const conversation = { conversationId: '77' };
      await sync(archive, [
        replyText([
          message(1, { ...conversation, creationTime: at(1) }),
          message(2, { type: 'Fax', creationTime: at(2) }),
          message(3, { ...conversation, creationTime: at(3) }),
        ]),
      ]);
      const idsOf = async (id: string): Promise<readonly string[] | undefined> => {
        const place = await messages.threadOf('7', id);
        if (!place) return undefined;
        return (await listOf(messages.threadMessages(place, everyMessage))).map((row) => row.id);
      };
      expect(await idsOf('3')).toEqual(['1', '3']);
      expect(await idsOf('2')).toEqual(['2']);
      expect(await idsOf('4')).toBe(undefined);
      expect(await messages.threadOf('8', '1')).toBe(undefined);
      await messages.saveMailboxes([{ extensionId: '7', extensionNumber: '107', own: false }]);
      expect(await messages.threadOf('107', '3')).toEqual(await messages.threadOf('7', '3'));
    });

    it('separates the threads of two mailboxes, such as the copies of a pager message', async () => {
      const archive = await newArchive(engine);
      const { messages } = archive;
      const conversation = { conversationId: '77', type: 'Pager' };
      const sent = { creationTime: at(3), direction: 'Outbound', to: [{ phoneNumber: '+15555550177' }] };
      await sync(archive, [replyText([message(1, conversation), message(3, sent)])]);
      const other = replyText([message(2, conversation)]).replace('/extension/7/', '/extension/8/');
      await sync(archive, [other], { extensionId: '8' });
      const threads = await listOf(messages.threads(everyMessage));
      const read = threads.map(async (thread) => [
        thread.mailbox,
        thread.messages,
        (await listOf(messages.threadMessages(thread, everyMessage))).map(({ id }) => id),
      ]);
      expect(await Promise.all(read)).toEqual([
        ['7', 1, ['3']],
        ['7', 1, ['1']],
        ['8', 1, ['2']],
      ]);
      expect(threads).toMatchObject([{ type: 'SMS' }, { type: 'Pager' }, { type: 'Pager' }]);
      const place = await messages.threadOf('8', '2');
      expect(place).toMatchObject({ mailbox: '8', conversation: '77' });
    });

    it('erases a number, and does not copy it again', async () => {
      const archive = await newArchive(engine);
      const { messages } = archive;
      const secret = message(2, { from: { phoneNumber: '+15555550142' } });
      await sync(archive, [replyText([message(1), secret])]);
      expect(await messages.traces('+15555550142')).toMatchObject({ messages: 1, versions: 0, exports: [] });
      const searches = [
        'from:+15555550142 after:2026-01-01',
        'with:5550142',
        'from:+15555550143',
        '',
        'from:"+1 (0)5555550142"',
      ];
      const exports = searches.map((filter, index) => ({ target: `/${index}`, format: 'csv', filter }));
      for (const one of exports) await messages.saveExportState({ ...one, runId: 1, bytes: 12 });
      await messages.erase('+15555550142', now);
      // The searches with the number are forgotten, so the next export to these files rewrites them.
      expect(await Promise.all(exports.map((one) => messages.exportState(one)))).toMatchObject([
        undefined,
        undefined,
        { filter: 'from:+15555550143' },
        { filter: '' },
        undefined,
      ]);
      expect(await messages.traces('+15555550142')).toMatchObject({ messages: 0, first: null });
      await sync(archive, [replyText([message(1), secret], 'token-2')], { full: true });
      expect(await rowsOf(archive)).toHaveLength(1);
      expect((await messages.erasedNumbers())(['+15555550142'])).toBe(true);
    });

    it('erases texts to several recipients, calls and problems of a number', async () => {
      const archive = await newArchive(engine);
      const { messages, calls } = archive;
      const number = '+15555550142';
      const to = [{ phoneNumber: '+16505550112' }, { phoneNumber: number }];
      const similar = { phoneNumber: `${number}0` };
      const others = [message(1), message(3, { from: similar, to: [similar] })];
      await sync(archive, [replyText([...others, message(2, { to })])]);
      await sync(archive, [replyText([{ id: 2, availability: 'Alive' }], 'token-2')]);
      expect(await messages.problems()).toMatchObject([{ messageId: '2' }]);
      await calls.prepare();
      const stream = {
        owner: undefined,
        dateFrom: 0,
        completeTo: 0,
        pending: undefined,
        syncedAt: undefined,
      };
      await calls.apply('account', [callWith(number), callWith(`${number}0`)], stream, () => false);
      expect(await messages.traces(number)).toMatchObject({ messages: 1 });
      await messages.erase(number, now);
      expect(await rowsOf(archive)).toMatchObject([{ id: '1' }, { id: '3' }]);
      expect(await messages.problems()).toEqual([]);
      expect([await calls.callsOf(number), await calls.callsOf(`${number}0`)]).toEqual([0, 1]);
      const { rows } = await messages.query('select action, subject, count from audit');
      const lines = (await listOf(rows)).map((row) =>
        Object.assign({}, row, { count: Number(row['count']) }),
      );
      expect(lines).toEqual([{ action: 'erase', subject: 'one phone number', count: 2 }]);
    });

    it('removes a message whose new record has an erased number', async () => {
      const archive = await newArchive(engine);
      await sync(archive, [replyText([message(1), message(2)])]);
      await archive.messages.erase('+15555550142', now);
      const to = [{ phoneNumber: '+16505550112' }, { phoneNumber: '+15555550142' }];
      await sync(archive, [replyText([message(2, { to, lastModifiedTime: at(9) })], 'token-2')]);
      expect(await rowsOf(archive)).toMatchObject([{ id: '1' }]);
    });

    it.each(['mark', 'purge'] as const)(
      'copies attachments once, and removes those of purged messages under %s',
      async (onDelete) => {
        const archive = await newArchive(engine);
        const { messages, media } = archive;
        await sync(archive, [replyText(searched)]);
        expect(await copyMedia(messages, media, '7', givesMedia('sound'))).toEqual({ copied: 1, failed: 0 });
        expect(await copyMedia(messages, media, '7', givesMedia('sound'))).toEqual({ copied: 0, failed: 0 });
        const [sha256 = ''] = await listOf(messages.mediaHashes('7'));
        expect(Buffer.from(await media.read(sha256)).toString()).toBe('sound');
        await sync(archive, [replyText([{ id: 4, availability: 'Purged' }], 'token-2')], { onDelete });
        expect(await messages.mediaGarbage()).toEqual([sha256]);
        expect(await listOf(messages.mediaHashes())).toEqual([]);
        await tidyMedia(messages, media);
        expect(await media.hash(sha256)).toBeUndefined();
        expect(await messages.mediaGarbage()).toEqual([]);
      },
    );

    it('keeps earlier versions and attachments of a deleted message until it is purged', async () => {
      const archive = await newArchive(engine);
      const { messages, media } = archive;
      const unread = voicemail(4, 'https://x.example/4');
      await sync(archive, [replyText([unread])]);
      await copyMedia(messages, media, '7', givesMedia('sound'));
      const read = { ...unread, readStatus: 'Read', lastModifiedTime: at(9) };
      await sync(archive, [replyText([read], 'token-2')]);
      const content = async (): Promise<readonly number[]> => {
        const { rows } = await messages.query('select message_id from message_version');
        return [(await listOf(rows)).length, (await listOf(messages.mediaHashes())).length];
      };
      await sync(archive, [replyText([{ id: 4, availability: 'Deleted' }], 'token-3')]);
      expect(await content()).toEqual([1, 1]);
      await sync(archive, [replyText([{ id: 4, availability: 'Purged' }], 'token-4')]);
      expect(await content()).toEqual([0, 0]);
    });

    it('copies several attachments without an ID once', async () => {
      const archive = await newArchive(engine);
      const { messages, media } = archive;
      const attachments = ['a', 'b'].map((name) => ({
        uri: `https://x.example/${name}`,
        contentType: 'image/png',
      }));
      await sync(archive, [replyText([message(1, { attachments })])]);
      const give: FetchMedia = (attachment, folder, name) =>
        givesMedia(attachment.uri)(attachment, folder, name);
      expect(await copyMedia(messages, media, '7', give)).toEqual({ copied: 2, failed: 0 });
      expect(await copyMedia(messages, media, '7', give)).toEqual({ copied: 0, failed: 0 });
      expect(await listOf(messages.mediaHashes('7'))).toHaveLength(2);
    });

    it('stores no attachment of a message that was erased or purged while it was downloaded', async () => {
      const archive = await newArchive(engine);
      const { messages, media } = archive;
      await sync(archive, [replyText([...searched, voicemail(6, 'https://x.example/6')])]);
      const [erased, purged] = await listOf(messages.missingMedia('7'));
      if (!erased || !purged) throw new Error('no attachments');
      const content = { contentType: 'audio/mpeg', fileName: undefined, bytes: 5 };
      await messages.erase('+14155550123', now);
      await sync(archive, [replyText([{ id: 6, availability: 'Purged' }], 'token-2')]);
      const isStored = (): Promise<boolean> => Promise.resolve(true);
      for (const [{ pk, id }, digit] of [
        [erased, 'a'],
        [purged, 'b'],
      ] as const)
        await messages.saveMedia({ ...content, pk, id, sha256: digit.repeat(64) }, isStored);
      expect(await listOf(messages.mediaHashes())).toEqual([]);
      expect(await messages.mediaGarbage()).toEqual(['a'.repeat(64), 'b'.repeat(64)]);
      await tidyMedia(messages, media);
      expect(await messages.mediaGarbage()).toEqual([]);
    });

    it('copies an attachment again if its content was deleted as unused in the meantime', async () => {
      const archive = await newArchive(engine);
      const { messages, media } = archive;
      const sha256 = await unusedContent(archive);
      let isFirst = true;
      const put: MediaStore['put'] = async (...content) => {
        await media.put(...content);
        if (isFirst) await tidyMedia(messages, media);
        isFirst = false;
      };
      const copied = await copyMedia(messages, { ...storeOf(media), put }, '7', givesMedia('sound'));
      expect(copied).toEqual({ copied: 1, failed: 0 });
      expect(await listOf(messages.mediaHashes())).toEqual([sha256]);
      expect(await media.hash(sha256)).toBe(sha256);
    });

    it('does not refer to content that is just being deleted', async () => {
      const archive = await newArchive(engine);
      const { messages, media } = archive;
      const sha256 = await unusedContent(archive);
      const [wanted] = await listOf(messages.missingMedia('7'));
      if (!wanted) throw new Error('no attachment');
      const saved: Promise<unknown>[] = [];
      const remove = async (hash: string): Promise<boolean> => {
        const { pk, id } = wanted;
        const row = { pk, id, contentType: undefined, fileName: undefined, bytes: 5, sha256 };
        saved.push(messages.saveMedia(row, () => media.has(sha256)));
        return media.remove(hash);
      };
      await tidyMedia(messages, { ...storeOf(media), remove });
      expect(await Promise.all(saved)).toEqual(['content deleted']);
      expect(await listOf(messages.mediaHashes())).toEqual([]);
      expect(await media.has(sha256)).toBe(false);
    });

    it('keeps the records of a mailbox', async () => {
      const { messages } = await newArchive(engine);
      expect(await messages.ownMailbox()).toBeUndefined();
      await messages.saveMailboxes([{ extensionId: '7', extensionNumber: '101', own: true }]);
      await messages.saveMailboxes([{ extensionId: '7', name: 'Alice', own: false }]);
      await messages.saveMailboxes([{ extensionId: '7', name: 'Alice', own: false }]);
      expect(await messages.ownMailbox()).toEqual({
        extensionId: '7',
        extensionNumber: '101',
        name: 'Alice',
        own: true,
      });
    });

    it('records several mailboxes, of which one occurs twice', async () => {
      const { messages } = await newArchive(engine);
      const own = { extensionId: '7', extensionNumber: '101', own: true };
      await messages.saveMailboxes([own, { extensionId: '8', own: false }, own]);
      await messages.saveMailboxes([]);
      expect(await messages.ownMailbox()).toMatchObject(own);
      const { rows } = await messages.query('SELECT extension_id AS id FROM mailbox ORDER BY extension_id');
      expect(await listOf(rows)).toEqual([{ id: '7' }, { id: '8' }]);
    });

    it('does not use a mailbox of an unknown user that an earlier version stored', async () => {
      const archive = await newArchive(engine);
      await archive.messages.saveMailboxes([{ extensionId: '~', own: true }]);
      await sync(archive, [replyText([message(1)]).replace('extension/7/', '')], { extensionId: '~' });
      expect(await archive.messages.ownMailbox()).toBeUndefined();
      expect(await verifyWhole(archive.messages, limitedService([], 5).open)).toEqual([]);
      const later = now + 3 * 86_400_000;
      expect(await archive.messages.retentionWarnings(later)).toEqual([]);
      expect(await archive.messages.status(later)).toEqual([]);
    });

    it('checks itself, and gives samples', async () => {
      const archive = await newArchive(engine);
      await sync(archive, [replyText(searched)]);
      expect(await archive.messages.check()).toMatchObject([{ wrong: 0 }, { checked: 5, wrong: 0 }]);
      expect(await archive.messages.sample(2)).toHaveLength(2);
      const copied = await archive.messages.copied('7', ['1', '77']);
      expect([...copied.keys()]).toEqual(['1']);
      const [stream] = await archive.messages.streams();
      if (!stream) throw new Error('no stream');
      expect((await listOf(archive.messages.aliveIds(stream))).toSorted()).toEqual(['1', '2', '3', '4', '5']);
      expect(await archive.messages.retentionWarnings(now + 3 * 86_400_000)).toHaveLength(1);
    });
  });
});
