import { readNotification } from '../notification/notification.ts';
import type { Notification } from '../../../contract/subscription.ts';
import { lookBack, recoveredKeys, type RecoveryStore } from './recovery.ts';

/** The text of an event in a log, with its position in the log. */
export interface PositionedEvent {
  readonly position: number;
  readonly raw: string;
}

/**
 * Returns the parts of a recovery that compare its messages with the notifications in a log of several machines. The
 * notifications are compared again immediately before a message is stored, because its notification may have arrived
 * meanwhile.
 * @param read the events of an extension after a position. @param append stores an event.
 */
export function comparedAgain(
  read: (extensionId: string, after: number) => AsyncIterable<PositionedEvent>,
  append: RecoveryStore['add'],
): Pick<RecoveryStore, 'since' | 'add'> {
  let extension = '';
  let compared = 0;
  /** Keys of the messages that were announced after the first comparison. */
  const late = new Set<string>();
  async function* notifications(): AsyncGenerator<Notification, void, undefined> {
    for await (const { position, raw } of read(extension, compared)) {
      compared = position;
      const notification = raw.includes('newMessageIds') ? readNotification(raw)?.notification : undefined;
      if (notification) yield notification;
    }
  }
  return {
    since(extensionId, { position }) {
      extension = extensionId;
      compared = Math.max(0, position - lookBack);
      late.clear();
      return notifications();
    },
    async add(received, origin) {
      if (origin === 'recovered')
        for await (const notification of notifications())
          for (const key of recoveredKeys(notification)) late.add(key);
      return late.has(received.key) ? 'duplicate' : append(received, origin);
    },
  };
}
