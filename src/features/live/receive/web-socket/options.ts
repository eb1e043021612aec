import type { SocketRoute } from '../../../../runtime/socket-route.ts';

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
}
