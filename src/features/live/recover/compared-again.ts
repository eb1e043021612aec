import { readNotification, type Received } from '../notification/notification.ts';
import type { Notification } from '../../../contract/subscription.ts';
import { lookBack, recoveredKeys, type RecoveryStore } from './recovery.ts';

/** The text of an event in a log, with its position in the log. */
export interface PositionedEvent {
  readonly position: number;
  readonly raw: string;
}

/** A log of several machines. */
export interface ComparedLog {
  /** The events of an extension after a position. */
  read(extensionId: string, after: number): AsyncIterable<PositionedEvent>;
  /**
   * The position of the newest event of all extensions. A log whose order later shows which event is the repetition needs no
   * such position.
   */
  last?(): Promise<number>;
  /**
   * Stores an event.
   * @param last the position of the newest event. If the log has a later one, nothing is stored, and the result is
   * `overtaken`.
   */
  append(
    received: Received,
    origin: 'recovered' | 'gap',
    last?: number,
  ): Promise<'new' | 'duplicate' | 'overtaken'>;
}

/**
 * Number of attempts to store a message while other events arrive. A message for which all fail is stored nevertheless: it
 * is then twice in the log if its notification arrives at the same time.
 */
const mostAttempts = 100;

/**
 * Returns the parts of a recovery that compare its messages with the notifications in a log of several machines. The
 * notifications are compared again immediately before a message is stored, because its notification may have arrived
 * meanwhile.
 */
export function comparedAgain(log: ComparedLog): Pick<RecoveryStore, 'since' | 'add'> {
  let extension = '';
  let compared = 0;
  /** Keys of the messages that were announced after the first comparison. */
  const late = new Set<string>();
  async function* notifications(): AsyncGenerator<Notification, void, undefined> {
    for await (const { position, raw } of log.read(extension, compared)) {
      compared = position;
      const notification = raw.includes('newMessageIds') ? readNotification(raw)?.notification : undefined;
      if (notification) yield notification;
    }
  }
  async function addRecovered(received: Received): Promise<'new' | 'duplicate'> {
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt > mostAttempts ? undefined : await log.last?.();
      for await (const notification of notifications())
        for (const key of recoveredKeys(notification)) late.add(key);
      if (late.has(received.key)) return 'duplicate';
      const result = await log.append(received, 'recovered', last);
      if (result !== 'overtaken') return result;
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
      if (origin === 'recovered') return addRecovered(received);
      return (await log.append(received, origin)) === 'new' ? 'new' : 'duplicate';
    },
  };
}
