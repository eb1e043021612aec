import { Socket } from 'node:net';
import type buildConnector from 'undici/lib/core/connect.js';

/** The error of a connection attempt that no request needs any more. */
class Unneeded extends Error {
  override readonly name = 'Unneeded';
  readonly code = 'ABORT_ERR';

  constructor() {
    super('no request needs the connection any more');
  }
}

/**
 * The error of a proxy that could not be reached, or that did not reply to CONNECT with HTTP.
 * @internal
 */
export class NoTunnel extends Error {
  override readonly name = 'NoTunnel';
  readonly code: string;

  constructor(code: string, cause: Error) {
    super('the proxy did not open a tunnel', { cause });
    this.code = code;
  }
}

/**
 * The connection attempts of a network, and its requests in progress. undici has no function to end an attempt, so after
 * Ctrl-C, an attempt without a reply would keep the process running until its timeout.
 * @internal
 */
export class Connecting {
  readonly #attempts = new Set<AbortController>();
  readonly #failed = new WeakSet<Error>();
  #requests = 0;

  /** Called when a request begins. @returns a function that is called when the request has ended. */
  begin(): () => void {
    this.#requests += 1;
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#requests -= 1;
      if (this.#requests > 0) return;
      for (const attempt of this.#attempts) attempt.abort(new Unneeded());
    };
  }

  /** Whether an error ended an attempt, including TLS errors. At that time no byte of a request has been sent. */
  hasFailed(error: unknown): boolean {
    return error instanceof Error && this.#failed.has(error);
  }

  /**
   * Returns a connector whose attempts end when no request is in progress. It passes the signal of the attempt to
   * `connect`.
   */
  following(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      // undici also connects for a request that was aborted while it waited for another connection.
      if (this.#requests === 0) return queueMicrotask(() => callback(new Unneeded(), null));
      const attempt = new AbortController();
      this.#attempts.add(attempt);
      const asked = { ...options, signal: attempt.signal };
      // The type of undici hides the socket that its own connector returns.
      const opened: unknown = connect(asked, (...result) => {
        this.#attempts.delete(attempt);
        const [error, socket] = result;
        if (error) this.#failed.add(error);
        else if (socket) endWithTlsError(socket);
        callback(...result);
      });
      if (opened instanceof Socket) endWith(opened, attempt.signal);
    };
  }
}

/** Whether an error is an alert or another failure of TLS, not of the certificate of the server. */
export function isTlsError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_SSL_');
}

/**
 * Closes a socket with the first error of TLS. With TLS 1.3, a server that requires a client certificate rejects the
 * connection only after the handshake. undici would then report the end of the connection, which follows, in place of
 * this error.
 */
function endWithTlsError(socket: Socket): void {
  socket.on('error', (error) => {
    if (isTlsError(error)) socket.destroy(error);
  });
}

/** Closes a socket when the signal of its attempt aborts. */
export function endWith(socket: { destroy(error: Error): unknown }, signal: AbortSignal): void {
  signal.addEventListener('abort', () => socket.destroy(signal.reason as Error), { once: true });
}
