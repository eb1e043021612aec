import type { Notification } from '../../../contract/subscription.ts';
import { readNotification } from '../notification/notification.ts';

/** Transports by which the service delivers. */
const deliveredOrigins = ['webhook', 'channel'] as const;
export type DeliveredOrigin = (typeof deliveredOrigins)[number];

/** How an event can come here. */
export const origins = [...deliveredOrigins, 'recovered', 'gap', 'import'] as const;
export type Origin = (typeof origins)[number];

/** Receiver of events that were imported and do not say which one took them. */
export const importReceiver = 'import';
/** Stands before the receiver that took an imported event elsewhere: no reader of that receiver here takes it for one that came. */
const elsewhere = `${importReceiver}:`;

/** A row of the table of events. */
export interface EventRow {
  readonly id: number;
  /** Which of this user's receivers took it. */
  readonly receiver: string;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly origin: Origin;
  /** 1 while an encrypted notification has not been read. */
  readonly sealed: 0 | 1;
  readonly raw: string;
}

/** A stored event, with its notification as a value. */
export class StoredEvent implements EventRow {
  readonly id: number;
  readonly receiver: string;
  readonly key: string;
  readonly receivedAt: number;
  readonly origin: Origin;
  readonly sealed: 0 | 1;
  readonly raw: string;
  #notification: Notification | undefined;

  /** @param notification as it was parsed at receipt, if it is still in memory. */
  constructor(row: EventRow, notification: Notification | undefined) {
    this.id = row.id;
    this.receiver = row.receiver;
    this.key = row.key;
    this.receivedAt = row.receivedAt;
    this.origin = row.origin;
    this.sealed = row.sealed;
    this.raw = row.raw;
    this.#notification = notification;
  }

  /** Its notification, parsed at most once. `keys` decrypt one that could not be read when it came; undefined where none of them fits. */
  notification(keys: readonly string[] = []): Notification | undefined {
    this.#notification ??= readNotification(this.raw, keys)?.notification;
    return this.#notification;
  }
}

/** Whether the service delivered an event, in contrast to one that was found later or imported. */
export function isDelivered({ origin }: Pick<EventRow, 'origin'>): boolean {
  return (deliveredOrigins as readonly Origin[]).includes(origin);
}

/** Name under which an imported event is kept. */
export function importedAs(receiver: string): string {
  return receiver === importReceiver ? receiver : `${elsewhere}${receiver}`;
}

/** The receiver that took it, here or elsewhere. */
export function receiverOf({ receiver }: StoredEvent): string {
  return receiver.startsWith(elsewhere) ? receiver.slice(elsewhere.length) : receiver;
}
