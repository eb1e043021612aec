import type { Client } from '../../client/index.ts';
import type { Notification } from '../../contract/subscription.ts';
import type { CommandText, Hint } from '../../errors/hint.ts';
import type { UnreadableReason } from './board.rows.ts';
import type { MissedEvents } from './notification-queue.ts';
import type { BoardPerson, PresenceFields } from './state.ts';

/** A source of live events: a subscription with its receiver. */
export interface BoardFeed {
  notifications(): AsyncIterable<Notification | MissedEvents>;
  /** The people whose events the subscription includes at the start. */
  readonly watched: readonly BoardPerson[];
  watch(eventFilters: readonly string[]): Promise<void>;
}

/** What a board shows, where it reads, and how often. */
export interface BoardParts {
  readonly api: Pick<Client, 'presence'>;
  readonly title: string;
  /** The people of the board; called again when they may have changed. */
  people(): Promise<readonly BoardPerson[]>;
  /** Number of light requests with which `people` reads. */
  readonly peopleRequests: number;
  /** Undefined for polling. */
  readonly feed: BoardFeed | undefined;
  /** Whether the set of people can change. If so, the board also subscribes to events about members. */
  readonly followsMembers: boolean;
  /** Whether one request can read the presences of the account. */
  readonly readsAccount: boolean;
  /** Minimum time between two polls of a person, in seconds. */
  readonly intervalSeconds: number;
  now(): number;
  /** Time zone of the footer; default UTC. */
  readonly zone?: string | undefined;
  /** Waits; rejects when the board ends. */
  sleep(milliseconds: number): Promise<void>;
  readonly signal: AbortSignal;
  /** Receives the message of a failed request; the board continues. */
  readonly onProblem: (text: Hint) => void;
  /** Receives the reason why the board no longer shows the present; the board continues. */
  readonly onOutdated: (reason: Hint) => void;
  /** Returns a next step as text, with the profile of the run in its commands. */
  readonly hintText: (hint: Hint) => string;
}

/** A presence that was read or reported by an event. */
export interface PresenceUpdate {
  readonly kind: 'presence';
  readonly id: string;
  readonly fields: PresenceFields;
  /** Time of the event in milliseconds since 1970; undefined for a read. */
  readonly at?: number | undefined;
}
/** A presence that could not be read. */
export interface UnreadableUpdate {
  readonly kind: 'unreadable';
  readonly id: string;
  readonly reason: UnreadableReason;
  /** The message of the error, and the next step if the session has ended. */
  readonly text: Hint;
  /** The command that signs in again, if the session has ended. */
  readonly signIn?: CommandText | undefined;
}
/** A change that a board shows. */
export type BoardUpdate =
  | PresenceUpdate
  | UnreadableUpdate
  | { readonly kind: 'people'; readonly people: readonly BoardPerson[] }
  | { readonly kind: 'missed' }
  | { readonly kind: 'tick' };
