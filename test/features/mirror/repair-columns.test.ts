import { describe, expect, it } from 'vitest';
import { message, messagesOf, newMirror, replies, replyText } from './replies.ts';
import { syncScope } from '../../../src/features/mirror/index.ts';

const count = 600;

/** A copy whose texts another program changed, together with the full-text index. */
async function changedCopy() {
  const { db } = newMirror();
  const messages = messagesOf(db);
  const records = Array.from({ length: count }, (_, index) => message(1000 + index));
  await syncScope(messages, replies(replyText(records)).open, {
    extensionId: '7',
    scope: {},
    onDelete: 'mark',
    now: () => Date.UTC(2026, 0, 5, 10),
  });
  db.exec(`UPDATE message SET subject = 'tampered', from_name = 'x', read_status = 'Read', type = 'Fax';
    INSERT INTO message_fts (message_fts) VALUES ('rebuild')`);
  const wrong = async (): Promise<readonly number[]> => (await messages.check()).map((check) => check.wrong);
  return { db, messages, wrong };
}

/** A signal that an event aborts in the second turn of the event loop, as Ctrl-C does. */
function abortedByEvent(): AbortSignal {
  const end = new AbortController();
  setImmediate(() => setImmediate(() => end.abort()));
  return end.signal;
}

describe('the repair of columns in SQLite', () => {
  it('updates the index together with the columns, so that an interruption leaves no other words', async () => {
    const { messages, wrong } = await changedCopy();
    expect(await messages.repairIndex()).toBe(false);
    const repaired = await messages.repairColumns('7', abortedByEvent());
    expect(repaired).toBeGreaterThan(0);
    expect(repaired).toBeLessThan(count);
    expect(await wrong()).toEqual([count - repaired, 0]);
    expect(await messages.repairColumns('7', new AbortController().signal)).toBe(count - repaired);
    expect(await wrong()).toEqual([0, 0]);
  });

  it('leaves columns and index unchanged if a message cannot be written', async () => {
    const { db, messages, wrong } = await changedCopy();
    db.exec(`CREATE TRIGGER failing BEFORE UPDATE ON message WHEN old.message_id = '1002'
      BEGIN SELECT RAISE(ABORT, 'not written'); END`);
    await expect(messages.repairColumns('7', new AbortController().signal)).rejects.toThrow('not written');
    expect(await wrong()).toEqual([count, 0]);
  });
});
