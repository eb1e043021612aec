import type { Client } from '../../client/index.ts';
import type { FetchMessage } from '../../features/mirror/index.ts';
import { isRefusedWith } from '../../errors/service.ts';

/** Messages of the store as text, so that they compare byte for byte with what a sync gave. */
export function fetchMessageOf(api: Client, signal: AbortSignal): FetchMessage {
  return async (extensionId, messageId) => {
    try {
      const reply = await api.messages.open(messageId, extensionId, { signal });
      return await reply.text();
    } catch (error) {
      if (isRefusedWith(error, 404)) return undefined;
      throw error;
    }
  };
}
