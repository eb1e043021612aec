import type { Message } from '../../contract/message.ts';

type Messages = AsyncGenerator<Message, void, undefined>;

/**
 * Merges lists of messages, each of which has its newest message first. A message without a time follows the previous
 * message of its list.
 */
export async function* newestFirst(lists: readonly Messages[], limit = Number.POSITIVE_INFINITY): Messages {
  const heads = new Map<Messages, Message>();
  const advance = async (list: Messages): Promise<void> => {
    const { done, value } = await list.next();
    if (done) heads.delete(list);
    else heads.set(list, value);
  };
  try {
    for (const list of lists) await advance(list);
    for (let given = 0; given < limit; given += 1) {
      const [newest] = [...heads].toSorted(([, a], [, b]) => timeOf(b) - timeOf(a));
      if (!newest) return;
      const [list, message] = newest;
      yield message;
      await advance(list);
    }
  } finally {
    for (const list of lists) await list.return();
  }
}

function timeOf({ creationTime }: Message): number {
  const time = Date.parse(creationTime ?? '');
  return Number.isNaN(time) ? Number.MAX_SAFE_INTEGER : time;
}
