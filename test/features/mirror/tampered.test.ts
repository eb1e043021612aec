import { describe, expect, it } from 'vitest';
import { syncScope } from '../../../src/features/mirror/index.ts';
import { PostgresMessages } from '../../../src/features/mirror/postgres/store.ts';
import type { MessageStore } from '../../../src/store/message-store.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { listOf } from './contract/archives.ts';
import { message, messagesOf, newMirror, replies, replyText } from './replies.ts';

const never = new AbortController().signal;
const now = (): number => Date.UTC(2026, 0, 5, 10);
const attachment = { id: 5, uri: 'https://service.example/5', contentType: 'image/png' };
const records = [
  message(1),
  message(2, { type: 'Text', subject: 'with \u0000 and 😀', conversationId: 7, attachments: [attachment] }),
  message(3, { type: 'VoiceMail', subject: undefined, attachments: undefined, to: undefined }),
  message(4, { availability: 'Deleted' }),
  message(5),
  message(6),
];

async function sync(
  messages: MessageStore,
  texts: readonly string[],
  full = false,
  extensionId = '7',
): Promise<unknown> {
  const options = { extensionId, scope: {}, full, now };
  return syncScope(messages, replies(...texts).open, { ...options, onDelete: 'mark' });
}

/** An archive with marked, emptied and missing messages, and how to change its tables. */
async function openArchive(engine: 'SQLite' | 'PostgreSQL') {
  const { messages, change } = await (engine === 'SQLite' ? openFile() : openStore());
  await sync(messages, [replyText(records)]);
  await sync(messages, [replyText([{ id: 5, availability: 'Purged' }], 'token-2')]);
  await sync(messages, [replyText([{ id: 6, availability: 'Deleted' }], 'token-3')]);
  return { messages, change };
}

/** The last change of each message, by its ID. */
async function changesOf(messages: MessageStore): Promise<ReadonlyMap<unknown, string>> {
  const { rows } = await messages.query('select message_id, changed_in from message order by message_id');
  const found = await listOf(rows);
  return new Map(found.map(({ message_id: id, changed_in: change }) => [id, String(change)]));
}

function openFile() {
  const { db } = newMirror();
  return { messages: messagesOf(db), change: (sql: string) => Promise.resolve(db.exec(sql)) };
}

async function openStore() {
  const { db } = await testStore();
  const messages = new PostgresMessages(db);
  return { messages, change: (sql: string) => db.run(sql) };
}

const engines = [['SQLite', false] as const, ['PostgreSQL', postgresMissing() !== undefined] as const];

for (const [engine, isMissing] of engines) {
  describe.skipIf(isMissing)(`the check of an archive in ${engine}`, () => {
    it('finds no differences in messages that syncs stored', async () => {
      const { messages } = await openArchive(engine);
      expect(await messages.check()).toMatchObject([
        { wrong: 0, details: [] },
        { wrong: 0, details: [] },
      ]);
    });

    it('finds no differences in a text that ends within a character, which a full sync does not change', async () => {
      const { messages } = await openArchive(engine);
      const cut = message(7, {
        subject: 'cut \ud83d',
        from: { phoneNumber: '+15555550100', name: '\ude00' },
      });
      await sync(messages, [replyText([cut], 'token-4')]);
      expect(await messages.check()).toMatchObject([
        { wrong: 0, details: [] },
        { wrong: 0, details: [] },
      ]);
      expect(await sync(messages, [replyText([cut], 'token-5')], true)).toMatchObject({ changed: 0 });
    });

    it('finds columns and words that differ from the record, which only the repair changes', async () => {
      const { messages, change } = await openArchive(engine);
      await change("update message set subject = 'tampered', read_status = 'Read' where message_id = '1'");
      // SQLite compares its index with the columns, PostgreSQL its column of words with the record.
      if (engine === 'PostgreSQL') await change("update message set words = 'x' where message_id = '1'");
      await change("update message set conversation_id = '8' where message_id = '2'");
      const [database, words] = await messages.check();
      expect(database).toMatchObject({
        wrong: 2,
        details: [
          'message 1 of mailbox 7: read_status, subject differ from its record',
          'message 2 of mailbox 7: conversation_id differs from its record',
        ],
      });
      expect(words).toMatchObject({ wrong: 1, details: ['message 1 of mailbox 7 has other words'] });
      const full = await sync(messages, [replyText(records.slice(0, 4), 'token-4')], true);
      expect([full, await messages.check()]).toMatchObject([{ changed: 0 }, [{ wrong: 2 }, { wrong: 1 }]]);
      await messages.repairIndex();
      expect(await messages.repairColumns('7', never)).toBe(2);
      expect(await messages.check()).toMatchObject([{ wrong: 0 }, { wrong: 0 }]);
      const found = async (text: string): Promise<number> =>
        (await listOf(await messages.search(text, 10, Date.parse))).length;
      expect([await found('tampered'), await found('"text 1"')]).toEqual([0, 1]);
    });

    it('repairs messages without a reply of the service, and writes no others', async () => {
      const { messages, change } = await openArchive(engine);
      await sync(messages, [replyText([message(8)]).replace('/extension/7/', '/extension/9/')], false, '9');
      await change("update message set subject = 'tampered', to_names = 'x' where message_id in ('1', '8')");
      await change("update message set type = 'Fax', creation_time = '2020' where message_id = '2'");
      await change("update message set from_name = 'x' where message_id = '4'");
      await change("update message set subject = 'again' where message_id = '5'");
      await change("update message set read_status = 'x' where message_id = '6'");
      const before = await changesOf(messages);
      await messages.repairIndex();
      expect(await messages.repairColumns('7', never)).toBe(5);
      expect(await messages.check()).toMatchObject([
        { wrong: 1, details: ['message 8 of mailbox 9: subject, to_names differ from its record'] },
        { wrong: 0 },
      ]);
      const changed = [...(await changesOf(messages))].filter(([id, change]) => before.get(id) !== change);
      expect(changed.map(([id]) => id)).toEqual(['1', '2', '4', '5', '6']);
      expect(await messages.repairColumns('7', never)).toBe(0);
    });

    it('leaves a message whose record is not readable, or is the record of another message', async () => {
      const { messages, change } = await openArchive(engine);
      await change("update message set raw = '{', subject = 'x' where message_id = '1'");
      await change(
        "update message set raw = (select raw from message where message_id = '3') where message_id = '2'",
      );
      expect(await messages.repairColumns('7', never)).toBe(0);
      expect(await messages.check()).toMatchObject([{ wrong: 2 }, {}]);
    });

    it('finds content of a purged message, and a record that is not readable', async () => {
      const { messages, change } = await openArchive(engine);
      await change("update message set subject = 'again' where message_id = '5'");
      await change("update message set raw = '{' where message_id = '1'");
      const [database] = await messages.check();
      expect(database).toMatchObject({
        details: [
          'message 1 of mailbox 7: raw differs from its record',
          'message 5 of mailbox 7: subject differs from its record',
        ],
      });
    });
  });
}
