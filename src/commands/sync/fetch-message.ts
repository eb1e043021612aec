import type { Client } from '../../client/index.ts';
import type { FetchMessage } from '../../features/mirror/index.ts';
import { isRejectedWith } from '../../errors/service.ts';

/** Reads messages as text, so that they can be compared byte for byte with the records of a sync. */
export function fetchMessageOf(api: Client, signal: AbortSignal): FetchMessage {
  return async (extensionId, messageId) => {
    try {
      const reply = await api.messages.open(messageId, extensionId, { signal });
      return await reply.text();
    } catch (error) {
      if (isRejectedWith(error, 404)) return undefined;
      throw error;
    }
  };
}
