import type { LockHolder } from '../../../platform/lock-holder.ts';
import type { Received } from '../notification/notification.ts';
import type { Lane } from './attempts.ts';
import type { Delivery, PendingDelivery } from './deliveries.ts';
import type { Origin, StoredEvent } from './stored-event.ts';
import type { SyncPoint } from './sync-points.ts';

/** The position of one reader. */
export interface ReaderPosition {
  /** Whether a position of the reader is stored. */
  readonly isKnown: boolean;
  /** ID of the last event that the reader has processed; 0 before the first event. */
  readonly position: number;
  move(position: number): void;
  /** Deletes the position of the reader. */
  forget(): void;
}

/** Deliveries of events to targets. */
export interface DeliveryStore {
  /** Adds a pending delivery. Returns undefined if the event already has a delivery to this target. */
  add(eventId: number, target: string, lane: string, now: number): Delivery | undefined;
  save(delivery: Delivery): void;
  /** Returns the deliveries in one state, in the order of their events. */
  in(state: Delivery['state']): readonly Delivery[];
  /** Returns pending deliveries to a target after the delivery with this ID, in the order of their IDs, at most 200. */
  pending(target: string, after: number): readonly PendingDelivery[];
  /** Returns pending deliveries of a lane after the delivery with this ID, in the order of their IDs, at most 50. */
  pendingInLane(lane: Pick<Delivery, 'target' | 'lane'>, after: number): readonly PendingDelivery[];
  of(eventId: number): readonly Delivery[];
  remove(id: number): void;
}

/** The lanes in which processes deliver events. */
export interface AttemptStore {
  /** Records an attempt of a receiver. Returns false while a redelivery of dead letters occupies the lane. */
  begin(lane: Lane, receiver: string): boolean;
  /** Occupies a lane for a redelivery. Attempts that have begun may still be in progress. */
  occupy(lane: Lane): void;
  end(lane: Lane, owner: string): void;
  /** Deletes the rows of an owner whose process has ended. */
  endAll(owner: string): void;
  /** Returns the receivers with an attempt in this lane. */
  receivers(lane: Lane): readonly string[];
}

/** Messages that were read for mailbox events. */
export interface EventMessageStore {
  /** Undefined if no messages are stored for the event. */
  of(eventId: number): readonly unknown[] | undefined;
  set(eventId: number, messages: readonly unknown[]): void;
}

/**
 * The store of events that live sessions use. `Inbox` implements it with SQLite; no module outside of this folder uses
 * SQLite for events. Reads are synchronous: a store on another machine would require reading ahead, or an asynchronous
 * interface.
 */
export interface EventStore {
  /**
   * Resolves when the notification is durable; only then may it be acknowledged. A notification with a known key is not
   * stored again.
   * @param isKnown called immediately before the event is stored, when all earlier events are stored. If it returns true,
   * the event is a duplicate.
   */
  accept(
    received: Received,
    receiver: string,
    origin: Origin,
    isKnown?: () => boolean,
  ): Promise<'new' | 'duplicate'>;
  /** Whether one receiver has an event with this key. */
  has(receiver: string, key: string): boolean;
  /** Events of one receiver after a position, in the order of acceptance, at most 200. */
  after(receiver: string, position: number): readonly StoredEvent[];
  /** Events of one receiver before a position, newest first, at most 200. */
  before(receiver: string, position: number): readonly StoredEvent[];
  /** Returns the event with this ID, or the events of all receivers with this key (the uuid). */
  byId(id: number | string): readonly StoredEvent[];
  /** ID of the newest event; 0 if there is no event. */
  last(): number;
  cursor(name: string): ReaderPosition;
  /** Moves a reader to the end, after all stored events. */
  moveToEnd(cursor: string): void;
  /** Events of one receiver from a cursor, until `signal` aborts and all accepted events have been read. */
  read(receiver: string, cursor: string, signal: AbortSignal): AsyncGenerator<StoredEvent, void, undefined>;
  /** Resolves at the next commit, or when the signal aborts. */
  nextCommit(signal: AbortSignal): Promise<void>;
  /** Deletes old events that every reader has processed. */
  trim(): void;
  readonly deliveries: DeliveryStore;
  readonly attempts: AttemptStore;
  /** Messages that were read for mailbox events, newest first. */
  readonly messages: EventMessageStore;
  readonly syncPoints: {
    of(receiver: string, extensionId: string): SyncPoint | undefined;
    set(receiver: string, extensionId: string, point: SyncPoint): void;
  };
  readonly recordedIds: {
    of(receiver: string): string | undefined;
    set(receiver: string, subscriptionId: string): void;
    isRecorded(id: string, address: string | undefined, except?: string): boolean;
    addressOf(receiver: string): string | undefined;
    setAddress(receiver: string, address: string): void;
    forget(receiver: string): void;
    receivers(): readonly string[];
  };
  /**
   * Locks a receiver name. Undefined while another process has the lock. The lock is released when the process ends,
   * even by a kill.
   */
  lockReceiver(receiver: string): { release(): void } | undefined;
  /** Returns the process that has the lock of a receiver name; undefined if it is unknown. */
  holderOf(receiver: string): LockHolder | undefined;
}
