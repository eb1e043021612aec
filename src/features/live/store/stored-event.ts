import type { Notification } from '../../../contract/subscription.ts';
import { readNotification } from '../notification/notification.ts';

/** Transports by which the service delivers. */
const deliveredOrigins = ['webhook', 'channel', 'websocket'] as const;
export type DeliveredOrigin = (typeof deliveredOrigins)[number];

/** Ways in which an event can come into the inbox. */
export const origins = [...deliveredOrigins, 'recovered', 'gap', 'import'] as const;
export type Origin = (typeof origins)[number];

/** Origins of the events that ucctl recovered, because the service did not deliver them. */
export const recoveredOrigins: readonly Origin[] = ['recovered', 'gap'];

/** Receiver of imported events without a receiver. */
export const importReceiver = 'import';
/** Prefix of the receiver of an imported event, so that a local receiver with the same name does not read the event. */
const importedPrefix = `${importReceiver}:`;

/** The receiver and the time of an event. */
export interface Provenance {
  readonly receiver: string;
  readonly origin: Origin;
  /** Time of receipt in milliseconds since 1970; by default the current time. */
  readonly receivedAt: number | undefined;
}

/** A row of the table of events. */
export interface StoredEventRow {
  readonly id: number;
  /** Name of the receiver that accepted the event. */
  readonly receiver: string;
  readonly key: string;
  /** Time of receipt in milliseconds since 1970. */
  readonly receivedAt: number;
  readonly origin: Origin;
  /** 1 for a notification that was stored encrypted. */
  readonly encrypted: 0 | 1;
  readonly raw: string;
}

/** A stored event with its parsed notification. */
export class StoredEvent implements StoredEventRow {
  readonly id: number;
  readonly receiver: string;
  readonly key: string;
  readonly receivedAt: number;
  readonly origin: Origin;
  readonly encrypted: 0 | 1;
  readonly raw: string;
  #notification: Notification | undefined;

  /** @param notification the notification as parsed at receipt, if it is still in memory. */
  constructor(row: StoredEventRow, notification: Notification | undefined) {
    this.id = row.id;
    this.receiver = row.receiver;
    this.key = row.key;
    this.receivedAt = row.receivedAt;
    this.origin = row.origin;
    this.encrypted = row.encrypted;
    this.raw = row.raw;
    this.#notification = notification;
  }

  /** Returns the notification, parsed at most once. Undefined if the notification is encrypted and no key works. */
  notification(keys: readonly string[] = []): Notification | undefined {
    this.#notification ??= readNotification(this.raw, keys)?.notification;
    return this.#notification;
  }
}

/** Whether the service delivered the event; false for recovered and imported events. */
export function isDelivered({ origin }: Pick<StoredEventRow, 'origin'>): boolean {
  return (deliveredOrigins as readonly Origin[]).includes(origin);
}

/** Receiver name under which an imported event is stored. */
export function importedAs(receiver: string): string {
  return receiver === importReceiver ? receiver : `${importedPrefix}${receiver}`;
}

/** Returns the receiver that accepted the event, in this inbox or in the exporting inbox. */
export function receiverOf({ receiver }: StoredEvent): string {
  return receiver.startsWith(importedPrefix) ? receiver.slice(importedPrefix.length) : receiver;
}
