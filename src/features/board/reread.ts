import type { Channel } from './channel.ts';

/** How people are read again. */
export interface RereadParts<F> {
  /** Undefined for a reading that failed. */
  read(id: string): Promise<F | undefined>;
  onRead(id: string, fields: F): void;
  /** Waits until the next reading may be; rejects when the watching ends. */
  pause(): Promise<void>;
}

/**
 * Reads people again of whom an event came: it does not hold all that may have changed, such as the message. However many events come, each
 * of them is read once, one after the other, within the pace; a reading during which another event came is thrown away and made again.
 */
export function rereading<F>(channel: Pick<Channel<unknown>, 'isClosed'>, parts: RereadParts<F>) {
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
      // The watching has ended.
    } finally {
      running = false;
    }
  };
  return (id: string): void => {
    waiting.add(id);
    if (!running) void run();
  };
}
