import { describe, expect, it } from 'vitest';
import type { Client, MessageOutcome } from '../../../src/client/index.ts';
import { deleteMessages } from '../../../src/features/mailbox/index.ts';

type Availability = 'Alive' | 'Deleted' | 'Purged';
interface Manner {
  /** Whether records contain the optional member `availability`. */
  readonly tells: boolean;
  /** Whether the service finds a message under every availability. */
  readonly ignoresFilter?: boolean;
  /** Whether no reply to a DELETE arrives. */
  readonly losesReplies?: boolean;
}

/** A mailbox whose records may lack `availability`, with the IDs that it was asked to delete. */
function mailbox(messages: Readonly<Record<string, Availability>>, manner: Manner) {
  const now = new Map(Object.entries(messages));
  const deleted: string[] = [];
  const answer = (id: string, filter?: readonly string[]): MessageOutcome => {
    const found = now.get(id);
    const isHidden = found === undefined || !(manner.ignoresFilter || filter?.includes(found));
    if (isHidden) return { id, status: 404, message: undefined, reason: 'not found' };
    const message = {
      id,
      ...(manner.tells && { availability: found }),
    } as unknown as MessageOutcome['message'];
    return { id, status: 200, message, reason: undefined };
  };
  const api = {
    messages: {
      async *getMany(ids: readonly string[], filter?: readonly string[]) {
        for (const id of ids) yield await Promise.resolve(answer(id, filter));
      },
      async *deleteEach(ids: readonly string[], { purge = false }) {
        for (const id of ids) {
          deleted.push(id);
          now.set(id, purge || now.get(id) === 'Deleted' ? 'Purged' : 'Deleted');
          const status = manner.losesReplies ? undefined : 204;
          yield await Promise.resolve({ id, status, message: undefined, reason: undefined });
        }
      },
    },
  } as unknown as Pick<Client, 'messages'>;
  return { api, now, deleted };
}

async function results(box: ReturnType<typeof mailbox>, ids: readonly string[], purge: boolean) {
  const rows: (readonly [string, string])[] = [];
  for await (const { id, status } of deleteMessages(box.api, ids, purge)) rows.push([id, status]);
  return Object.fromEntries(rows);
}

const ids = ['1', '2', '3', '4'];
const messages = { 1: 'Alive', 2: 'Deleted', 3: 'Purged' } as const;

describe('deleting messages of a service whose records may lack their availability', () => {
  it.each([
    [{ tells: true }],
    [{ tells: false }],
    [{ tells: true, losesReplies: true }],
    [{ tells: false, losesReplies: true }],
  ])('deletes only what is alive: %j', async (manner) => {
    const box = mailbox(messages, manner);
    const rows = await results(box, ids, false);
    expect(rows).toEqual({ 1: 'deleted', 2: 'unchanged', 3: 'unchanged', 4: 'failed' });
    expect(box.deleted).toEqual(['1']);
    expect(await results(mailbox(messages, manner), ids, true)).toEqual({
      1: 'purged',
      2: 'purged',
      3: 'unchanged',
      4: 'failed',
    });
  });

  it('sends nothing for a message that could already be deleted', async () => {
    const box = mailbox(messages, { tells: false, ignoresFilter: true });
    expect(await results(box, ['1', '2'], false)).toEqual({ 1: 'failed', 2: 'failed' });
    expect(box.deleted).toEqual([]);
  });
});
