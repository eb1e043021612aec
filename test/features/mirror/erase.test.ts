import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteMessages } from '../../../src/features/mirror/index.ts';
import { iterateRows } from '../../../src/platform/sqlite.ts';
import { openReadOnly } from '../../../src/platform/sqlite/read-only.ts';
import { message, newMirror, replies, replyText, rows, sync } from './replies.ts';

const number = '+15555550142';
const now = Date.UTC(2026, 0, 5, 10);

describe('the erasure of a number', () => {
  it('fails while another program reads the file, and the next one completes it', async () => {
    const { db, file } = newMirror();
    db.exec('PRAGMA busy_timeout = 0');
    const secret = message(1, { from: { phoneNumber: number }, subject: 'zebra crossing' });
    await sync(db, replies(replyText([secret, message(2), message(3)])).open);
    const reader = openReadOnly(file);
    onTestFinished(() => reader.close());
    const read = iterateRows(reader, 'SELECT raw FROM message');
    read.next();
    const isInFile = (): boolean =>
      [file, `${file}-wal`].some((one) => existsSync(one) && readFileSync(one).includes('zebra crossing'));
    const messages = new SqliteMessages(db, file);
    await expect(messages.erase(number, now)).rejects.toMatchObject({
      code: 'database_busy',
      exit: 12,
      retryable: true,
      message: `the erased data is still in ${file}, because another program is reading the file`,
      hint: 'close all programs that read the local mailbox copy, and run the command again',
    });
    expect(rows(db, 'SELECT message_id AS id FROM message ORDER BY pk')).toEqual([{ id: '2' }, { id: '3' }]);
    expect(isInFile()).toBe(true);
    read.return();
    await messages.erase(number, now);
    expect(isInFile()).toBe(false);
  });
});
