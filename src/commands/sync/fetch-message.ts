import type { Client } from '../../client/index.ts';
import { isPersonalSync, type FetchMessage } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import { isMissingResource } from '../../errors/service-codes.ts';

/**
 * Reads messages as text, so that they can be compared byte for byte with the records of a sync. A sync may include
 * shared messages (CURRENT-17), which are in the mailboxes of the user's queues.
 */
export function fetchMessageOf(
  api: Pick<Client, 'messages' | 'callQueues'>,
  { settings, signal }: Pick<Context, 'settings' | 'signal'>,
): FetchMessage {
  const read: FetchMessage = async (extensionId, messageId) => {
    try {
      const reply = await api.messages.open(messageId, extensionId, { signal });
      return await reply.text();
    } catch (error) {
      if (isMissingResource(error)) return undefined;
      throw error;
    }
  };
  if (isPersonalSync(settings)) return read;
  const known = new Map<string, readonly string[]>();
  const queuesOf = async (memberExtensionId: string): Promise<readonly string[]> => {
    const ids: string[] = [];
    for await (const { id } of api.callQueues.list({ memberExtensionId }, { signal })) ids.push(id);
    return ids;
  };
  return async (extensionId, messageId) => {
    const own = await read(extensionId, messageId);
    if (own !== undefined) return own;
    const queues = known.get(extensionId) ?? (await queuesOf(extensionId));
    known.set(extensionId, queues);
    for (const queue of queues) {
      const shared = await read(queue, messageId);
      if (shared !== undefined) return shared;
    }
    return undefined;
  };
}
