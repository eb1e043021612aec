import type { Notification } from '../../../contract/subscription.ts';
import { readNotification } from '../notification/notification.ts';
import { lookBack, type RecoveryStore } from '../recover/recovery.ts';
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
  append: RecoveryStore['add'],
): RecoveryStore {
  const nameOf = (extensionId: string): string => `nats:${stream.name}:${extensionId}`;
  return {
    point: (extensionId) => points.point(nameOf(extensionId)),
    savePoint: async (extensionId, point) =>
      points.savePoint(nameOf(extensionId), point, await stream.last()),
    since: (extensionId, { position }) => notificationsSince(stream, extensionId, position - lookBack),
    add: append,
  };
}

async function* notificationsSince(
  stream: EventStream,
  lane: string,
  first: number,
): AsyncGenerator<Notification, void, undefined> {
  for await (const raw of stream.since(lane, first)) {
    const notification = raw.includes('newMessageIds') ? readNotification(raw)?.notification : undefined;
    if (notification) yield notification;
  }
}
