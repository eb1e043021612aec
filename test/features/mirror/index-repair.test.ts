import { expect, it } from 'vitest';
import { SqliteMessages, syncScope } from '../../../src/features/mirror/index.ts';
import { message, newMirror, replies, replyText } from './replies.ts';

it('replies that arrive together are stored after one repair of the full-text index', async () => {
  const { db, file } = newMirror();
  let repairs = 0;
  const messages = new SqliteMessages(db, file, () => void (repairs += 1));
  const mailboxes = ['7', '8', '9'];
  const sync = (id: string, texts: readonly string[]) =>
    syncScope(
      messages,
      replies(...texts.map((text) => text.replace('/extension/7/', `/extension/${id}/`))).open,
      {
        extensionId: id,
        scope: {},
        onDelete: 'mark',
        now: () => Date.UTC(2026, 0, 5, 10),
      },
    );
  await Promise.all(mailboxes.map((id) => sync(id, [replyText([message(`${id}1`)])])));
  db.exec("INSERT INTO message_fts (message_fts) VALUES ('delete-all')");
  const changes = mailboxes.map((id) => {
    const reply = replyText([message(`${id}1`, { subject: 'changed' })], 'token-2');
    return sync(id, [reply, reply]);
  });
  expect(await Promise.all(changes)).toMatchObject([{ changed: 1 }, { changed: 1 }, { changed: 1 }]);
  expect(repairs).toBe(1);
  expect(await messages.check()).toMatchObject([{ wrong: 0 }, { wrong: 0 }]);
});
