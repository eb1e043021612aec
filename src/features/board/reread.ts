import type { Channel } from './channel.ts';

export interface RereadParts<F> {
  /** Reads the presence of a person; undefined if the request failed. */
  read(id: string): Promise<F | undefined>;
  onRead(id: string, fields: F): void;
  /** Waits until the next request is allowed; rejects when the board ends. */
  pause(): Promise<void>;
}

/**
 * Reads people again after an event, because an event may omit changed fields such as the message. Several events for a
 * person cause one request. Requests are sequential and paced. If another event arrived in the meantime, the reply is
 * discarded.
 */
export function createRereader<F>(channel: Pick<Channel<unknown>, 'isClosed'>, parts: RereadParts<F>) {
  const waiting = new Set<string>();
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    try {
      for (let [id] = waiting; id !== undefined && !channel.isClosed; [id] = waiting) {
        waiting.delete(id);
        const fields = await parts.read(id);
        if (fields !== undefined && !waiting.has(id)) parts.onRead(id, fields);
        await parts.pause();
      }
    } catch {
      // `pause` rejects when the board ends, which ends the loop.
    } finally {
      running = false;
    }
  };
  return (id: string): void => {
    waiting.add(id);
    if (!running) void run();
  };
}
