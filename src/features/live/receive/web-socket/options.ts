import type { Subscription } from '../../../../contract/subscription.ts';
import type { WebSocketPosition } from '../../../../contract/web-socket.ts';
import type { SocketRoute } from '../../../../runtime/socket-route.ts';

/** A session whose connection was lost, possibly in another process, and which a new connection can continue (SOCKET-7). */
export interface SocketState {
  /** The position after which events are not stored yet. */
  readonly position: WebSocketPosition;
  /** Time of the last sign of life of the connection, in milliseconds since 1970. */
  readonly aliveAt: number;
}

/** A session to continue, with its subscription. */
export interface ContinuedSession extends SocketState {
  readonly subscription: Subscription;
}

export interface WebSocketReceiverOptions {
  readonly route: SocketRoute;
  /** Timeout of a connection attempt in milliseconds. */
  readonly timeoutMilliseconds: number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Registers an address with a secret, so that the secret is masked in everything that is shown. */
  readonly protect: (url: URL) => void;
  readonly warn: (text: string) => void;
  readonly note: (text: string) => void;
  /** Random numbers from 0 up to, not including, 1, for the jitter of delays. */
  readonly random?: () => number;
  /** The session that the first connection continues; by default, the first connection begins a session. */
  readonly continues?: ContinuedSession | undefined;
  /**
   * Milliseconds without the service after which the session fails, so that another process can continue it. By default,
   * a silence is detected after a minute, and a connection is restored without a limit.
   */
  readonly handoverMilliseconds?: number | undefined;
}
