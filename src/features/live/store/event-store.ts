import type { Received } from '../notification/notification.ts';
import type { Delivery } from './deliveries.ts';
import type { Origin, StoredEvent } from './stored-event.ts';
import type { SyncPoint } from './sync-points.ts';

/** The position of one reader, the same object for every call. */
export interface ReaderPosition {
  /** Whether the reader was ever anywhere. */
  readonly isKnown: boolean;
  /** Id of the last event that its reader is done with; 0 before the first. */
  readonly position: number;
  move(position: number): void;
  /** As if the reader had never been anywhere. */
  forget(): void;
}

/** Deliveries of events to targets. */
export interface DeliveryStore {
  /** Undefined when the event is on its way to that target already. */
  add(eventId: number, target: string, lane: string, now: number): Delivery | undefined;
  save(delivery: Delivery): void;
  /** In the order of the events. */
  in(state: Delivery['state']): readonly Delivery[];
  of(eventId: number): readonly Delivery[];
  remove(id: number): void;
}

/**
 * What live sessions need of a store of events. `Inbox` keeps it in SQLite; only the folder of this file knows that. Reads are synchronous:
 * a store on another machine has to read ahead, or this port has to become asynchronous first.
 */
export interface EventStore {
  /** Resolves when the notification is durable; only then may it be acknowledged. A known key is not stored twice. */
  accept(received: Received, receiver: string, origin: Origin): Promise<'new' | 'duplicate'>;
  /** Stores the beginning of a rejected body. */
  reject(reason: string, raw: Uint8Array): void;
  /** Whether one receiver has an event with this key. */
  has(receiver: string, key: string): boolean;
  /** Events of one receiver behind a position, in the order of acceptance, at most 200. */
  after(receiver: string, position: number): readonly StoredEvent[];
  /** Events of one receiver before a position, newest first, at most 200. */
  before(receiver: string, position: number): readonly StoredEvent[];
  /** The event with this id, or those with this key (its uuid) at any receiver. */
  byId(id: number | string): readonly StoredEvent[];
  /** Id of the newest event; 0 when there is none. */
  last(): number;
  cursor(name: string): ReaderPosition;
  /** Moves a reader behind everything there is. */
  moveToEnd(cursor: string): void;
  /** Events of one receiver from a cursor on, until `signal` aborts and everything accepted has been read. */
  read(receiver: string, cursor: string, signal: AbortSignal): AsyncGenerator<StoredEvent, void, undefined>;
  /** Resolves at the next commit, or when the signal aborts. */
  nextCommit(signal: AbortSignal): Promise<void>;
  /** Deletes what everyone has processed long ago. */
  trim(): void;
  readonly deliveries: DeliveryStore;
  readonly syncPoints: {
    of(receiver: string, extensionId: string): SyncPoint | undefined;
    set(receiver: string, extensionId: string, point: SyncPoint): void;
  };
  readonly recordedIds: {
    of(receiver: string): string | undefined;
    set(receiver: string, subscriptionId: string): void;
    forget(receiver: string): void;
    receivers(): readonly string[];
  };
  /** Undefined while another process has the receiver. It is free again when the process ends, however it ends. */
  lockReceiver(receiver: string): { release(): void } | undefined;
}
