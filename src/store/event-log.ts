import type { Notification } from '../contract/subscription.ts';

/** An event in the form in which a receiver accepted it. */
export interface NewEvent {
  /** Name of the receiver. Several machines may be the same receiver. */
  readonly receiver: string;
  /** Identifies the event within its receiver; usually the uuid of the notification. */
  readonly key: string;
  /** How the event arrived, such as `webhook` or `recovered`. */
  readonly origin: string;
  readonly encrypted: boolean;
  /** The unchanged text of the notification. */
  readonly raw: string;
}

/** An event that a receiver adds to the log. */
export interface AddedEvent extends NewEvent {
  /** The parsed text. Without it, the log parses the text. */
  readonly notification?: Notification | undefined;
  /**
   * Fence of the process that owns the receiver. The log of several machines stores the event only while this process
   * is the owner. Without a fence, every process may store events.
   */
  readonly fence?: number | undefined;
}

/** A position in the order of the log; opaque, and valid only for the log that returned it. */
export type LogPosition = string;

/** An event in the log. */
export interface LoggedEvent extends NewEvent {
  readonly id: number;
  readonly position: LogPosition;
  /**
   * Extension of the event. A consumer gets the events of one extension in order. Empty for events without an
   * extension.
   */
  readonly lane: string;
  /** Time of receipt in milliseconds since 1970, by the clock of the log. */
  readonly receivedAt: number;
}

/** An event that a worker of a consumer processes. */
export interface ClaimedEvent extends LoggedEvent {
  readonly consumer: string;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Increases with each claim of the event. A worker whose lease has ended cannot finish a later claim. */
  readonly fence: number;
}

/** How a worker claims events. */
export interface ClaimOptions {
  /** Name of the worker in the status of the consumer. */
  readonly worker: string;
  /** Milliseconds after which another worker may claim the event. */
  readonly leaseMilliseconds: number;
  /** Maximum number of events. Each event belongs to a different extension. */
  readonly limit: number;
}

/** The start position of a new or reset consumer. */
export type ConsumerStart = 'start' | 'end' | { readonly since: number };

/** The state of one consumer. */
export interface ConsumerStatus {
  readonly name: string;
  /** The receiver whose events the consumer gets; undefined for all receivers. */
  readonly receiver: string | undefined;
  /** Events that the consumer has not taken from the log yet. */
  readonly behind: number;
  /** Events that wait for a worker, a retry, or the end of their lease. */
  readonly pending: number;
  /** Events whose lease has not ended. */
  readonly claimed: number;
  readonly dead: number;
  /** Time of receipt of the oldest event that is not finished, in milliseconds since 1970. */
  readonly oldestAt: number | undefined;
}

/** An event that a consumer failed to process and no longer retries. */
export interface DeadEvent extends LoggedEvent {
  readonly attempts: number;
  readonly problem: string;
}
