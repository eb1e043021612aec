import { comparedAgain, type ComparedLog } from '../recover/compared-again.ts';
import type { RecoveryStore } from '../recover/recovery.ts';
import type { EventStream } from './event-stream-port.ts';

/**
 * The recovery of a receiver whose events are in a stream. Its sync points are in the store, under separate
 * names, because their positions are sequence numbers of the stream.
 * @param append stores an event in the stream.
 */
export function streamRecovery(
  points: Pick<RecoveryStore, 'point'> & {
    /** Stores a sync point with its position. */
    savePoint(
      extensionId: string,
      point: Parameters<RecoveryStore['savePoint']>[1],
      position: number,
    ): Promise<void>;
  },
  stream: EventStream,
  append: ComparedLog['append'],
): RecoveryStore {
  const nameOf = (extensionId: string): string => `nats:${stream.name}:${extensionId}`;
  return {
    point: (extensionId) => points.point(nameOf(extensionId)),
    savePoint: async (extensionId, point) =>
      points.savePoint(nameOf(extensionId), point, await stream.last()),
    ...comparedAgain({
      read: (extensionId, after) => stream.since(extensionId, after + 1),
      last: () => stream.last(),
      append,
    }),
  };
}
