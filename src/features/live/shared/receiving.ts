import type { Client } from '../../../client/index.ts';
import type { Subscription } from '../../../contract/subscription.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { Context } from '../../../runtime/context.ts';
import type { RecoveryStore } from '../recover/recovery.ts';
import type { DeliveredOrigin } from '../store/stored-event.ts';
import type { KeyedIntake } from '../subscription/transport.ts';
import type { ReceiverTurn } from './receiver-table.ts';

/** The values that the owner of a receiver needs for its duties. */
export interface OwnerSettings {
  readonly ctx: Context;
  readonly db: Postgres;
  readonly api: Client;
  readonly receiver: string;
  readonly eventFilters: readonly string[];
  readonly recovery: RecoveryStore;
  /** Whether this process was on standby. Another process can then take its place. */
  readonly wasReady: boolean;
  /** Aborts when the process is no longer the owner, or ends. */
  readonly signal: AbortSignal;
  /** Called when the subscription is active and recorded. */
  readonly onReady: (subscription: Subscription) => void;
}

/** The values of the receiver that the owner needs from the store. */
export type OwnerTurn = Pick<ReceiverTurn, 'subscriptionId' | 'replaces' | 'recovers'>;

/** How events reach the processes of a receiver, and what their owner does. */
export interface SharedReceiving {
  readonly origin: DeliveredOrigin;
  /** Local address of the listener; undefined without a listener. */
  readonly url: string | undefined;
  /** Address of the subscription; empty if the service needs no address. */
  readonly address: string;
  /** Whether only the owner receives events. Otherwise, all processes receive events. */
  readonly isExclusive: boolean;
  /** Prepares for events. `onFailure` is called when no more events can arrive. */
  open(intake: KeyedIntake, onFailure: (error: Error) => void): Promise<void>;
  /** The duties of the owner, until the signal aborts. @throws if the owner cannot fulfill its duties. */
  own(settings: OwnerSettings, fence: number, turn: OwnerTurn): Promise<void>;
  /** Stops receiving. Replies in progress may take at most `drainMilliseconds`. */
  close(drainMilliseconds: number): Promise<void>;
}
