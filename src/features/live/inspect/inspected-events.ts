import type { Deliveries } from '../store/deliveries.ts';
import type { EventMessages } from '../store/event-messages.ts';
import type { Inbox } from '../store/inbox.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { runningSince } from '../subscription/receiver-name.ts';

/** The events that the page shows. */
export interface InspectedEvents {
  /** ID of the newest event; 0 if there is no event. */
  last(): number;
  /** Events before a position, newest first, at most 200. */
  before(position: number): readonly StoredEvent[];
  /** Events after a position, oldest first, at most 200. */
  after(position: number): readonly StoredEvent[];
  byId(id: number): StoredEvent | undefined;
  /** Resolves when there may be new events, or when the signal aborts. */
  nextCommit(signal: AbortSignal): Promise<void>;
  /** Returns since when events have been received, in ISO 8601; undefined if no receiver runs. */
  receivingSince(): string | undefined;
  /** Whether a process copies the messages of events. */
  isCopying(): boolean;
  readonly deliveries: Deliveries;
  readonly messages: EventMessages;
}

/** Returns the events of one receiver, which adds events in this process. */
export function eventsOfReceiver(inbox: Inbox, receiver: string): InspectedEvents {
  return {
    last: () => inbox.last(),
    before: (position) => inbox.before(receiver, position),
    after: (position) => inbox.after(receiver, position),
    byId: (id) => inbox.byId(id).find((stored) => stored.receiver === receiver),
    nextCommit: (signal) => inbox.nextCommit(signal),
    receivingSince: () => inbox.holderOf(receiver)?.since,
    isCopying: () => false,
    deliveries: inbox.deliveries,
    messages: inbox.messages,
  };
}

/** The receivers that store events in the inbox: `subscribe tail` and `webhook listen`. */
const storingReceivers = ['tail', 'listen'];

/** Milliseconds between two checks for events of another process. */
const pause = 250;

/**
 * Returns the events of all receivers. Other processes add them, so the database is read until it has a new event.
 * @param sleep waits; rejects when the signal aborts.
 */
export function eventsOfInbox(
  inbox: Inbox,
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>,
): InspectedEvents {
  return {
    last: () => inbox.last(),
    before: (position) => inbox.allBefore(position),
    after: (position) => inbox.allAfter(position),
    byId: (id) => inbox.byId(id)[0],
    async nextCommit(signal) {
      const known = inbox.last();
      while (!signal.aborted && inbox.last() === known) await sleep(pause, signal).catch(() => undefined);
    },
    isCopying: () => runningSince(inbox, 'sync') !== undefined,
    receivingSince: () => storingReceivers.flatMap((base) => runningSince(inbox, base) ?? []).toSorted()[0],
    deliveries: inbox.deliveries,
    messages: inbox.messages,
  };
}
