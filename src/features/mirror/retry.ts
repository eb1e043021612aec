import type { SyncStore } from '../../store/message-store.ts';
import type { OnDelete } from '../../store/reply.ts';
import { unknownOwner } from './other-mailbox.ts';

/** Reads the text of one message from the service; undefined if it no longer exists. */
export type FetchMessage = (extensionId: string, messageId: string) => Promise<string | undefined>;

/** The result of requesting one record again. */
export interface RetryLine {
  readonly extensionId: string;
  readonly messageId: string | null;
  readonly problem: string;
  readonly status: 'copied' | 'not found' | 'failed' | 'needs a full sync';
}

/**
 * Requests each record again that a sync could not store, without those of `unknownOwner`, which no sync updates. A record
 * without an ID can be requested only by a full sync.
 */
export async function* retryErrors(
  store: Pick<SyncStore, 'problems' | 'streams' | 'settle'>,
  fetchMessage: FetchMessage,
  settings: { readonly onDelete: OnDelete; readonly now: number },
): AsyncGenerator<RetryLine, void, undefined> {
  const streams = new Map((await store.streams()).map((stream) => [stream.streamId, stream]));
  const now = new Date(settings.now).toISOString();
  for (const problem of await store.problems()) {
    const { extensionId, messageId } = problem;
    // The address of this mailbox would be that of the signed-in user.
    if (extensionId === unknownOwner) continue;
    const line = { extensionId, messageId, problem: problem.problem };
    const stream = streams.get(problem.streamId);
    if (messageId === null || !stream) {
      yield { ...line, status: 'needs a full sync' };
      continue;
    }
    const text = await fetchMessage(extensionId, messageId);
    const { onDelete } = settings;
    yield { ...line, status: await store.settle(problem, stream, text, { onDelete, full: false, now }) };
  }
}
