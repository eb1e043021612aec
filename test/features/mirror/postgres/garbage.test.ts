import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyMedia, FolderMedia, syncScope, tidyMedia } from '../../../../src/features/mirror/index.ts';
import { removeSql } from '../../../../src/features/mirror/postgres/merge.ts';
import { PostgresMessages } from '../../../../src/features/mirror/postgres/store.ts';
import { eventually } from '../../../support/eventually.ts';
import { postgresMissing, testStore } from '../../../support/postgres.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { givesMedia, message, replies, replyText } from '../replies.ts';

describe.skipIf(postgresMissing())('unused attachments in PostgreSQL', () => {
  it('are deleted also if another machine just deleted their last message', async () => {
    const { db } = await testStore();
    const messages = new PostgresMessages(db);
    const media = new FolderMedia(join(temporaryFolder(), 'media'));
    const sync = (records: readonly object[], token: string) => {
      const more = {
        extensionId: '7',
        scope: {},
        onDelete: 'mark',
        now: () => Date.UTC(2026, 0, 5),
      } as const;
      return syncScope(messages, replies(replyText(records, token)).open, more);
    };
    const fax = (id: number) => {
      const attachments = [{ id, uri: `https://x.example/${id}`, contentType: 'application/pdf' }];
      return message(id, { type: 'Fax', attachments });
    };
    await sync([fax(1), fax(2)], 'token-1');
    expect(await copyMedia(messages, media, '7', givesMedia('page'))).toEqual({ copied: 2, failed: 0 });
    await sync([{ id: 1, availability: 'Purged' }], 'token-2');
    const [sha256 = ''] = await messages.mediaGarbage();
    await db.transaction(async (transaction) => {
      await transaction.run(removeSql("message_id = '2'", 'removed'));
      await tidyMedia(messages, media);
      expect(await media.hash(sha256)).toBe(sha256);
    });
    expect(await messages.mediaGarbage()).toEqual([sha256]);
    await tidyMedia(messages, media);
    expect(await media.hash(sha256)).toBeUndefined();
    expect(await messages.mediaGarbage()).toEqual([]);
  });

  it('include the content of a message that a running transaction empties', async () => {
    const { db } = await testStore();
    const messages = new PostgresMessages(db);
    const attachments = [{ id: 1, uri: 'https://x.example/1', contentType: 'application/pdf' }];
    const reply = replyText([message(1, { type: 'Fax', attachments })]);
    const more = { extensionId: '7', scope: {}, onDelete: 'mark', now: () => Date.UTC(2026, 0, 5) } as const;
    await syncScope(messages, replies(reply).open, more);
    const missing = await messages.missingMedia('7').next();
    if (missing.done) throw new Error('no attachment');
    const { pk, id } = missing.value;
    const sha256 = 'a'.repeat(64);
    const row = { pk, id, contentType: undefined, fileName: undefined, bytes: 4, sha256 };
    const saved: Promise<unknown>[] = [];
    await db.transaction(async (transaction) => {
      // As a reply does, which then reads the rows of attachments once.
      await transaction.query("select 1 from mailbox where extension_id = '7' for update");
      await new Promise<void>((resolve) => {
        saved.push(
          messages.saveMedia(row, () => {
            resolve();
            return Promise.resolve(true);
          }),
        );
      });
      await eventually(async () => {
        const waiting = await db.query(
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%from mailbox%for key share%'",
        );
        expect(waiting).not.toEqual([]);
      });
      await transaction.run("update message set media_wanted = 0 where message_id = '1'");
    });
    expect(await Promise.all(saved)).toEqual(['not needed']);
    expect(await db.query('select 1 from media')).toEqual([]);
    expect(await messages.mediaGarbage()).toEqual([sha256]);
  });
});
