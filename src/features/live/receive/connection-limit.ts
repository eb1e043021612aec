import type { Socket } from 'node:net';

/**
 * Limits the open connections. At the limit, a new connection takes the place of the oldest one that has never requested
 * the secret path. Others can therefore not keep the service out, whether their connections are slow or idle.
 */
export class ConnectionLimit {
  readonly #max: number;
  readonly #open = new Set<Socket>();
  /** Open connections without a request of the secret path, oldest first. */
  readonly #unknown = new Map<string, Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Adds a connection, and closes another one, or this one if all others have requested the secret path. */
  add(socket: Socket): void {
    const name = nameOf(socket);
    this.#open.add(socket);
    this.#unknown.set(name, socket);
    socket.once('close', () => this.#forget(name, socket));
    if (this.#open.size <= this.#max) return;
    for (const [oldest, unknown] of this.#unknown) {
      this.#forget(oldest, unknown);
      unknown.destroy();
      return;
    }
  }

  /** A connection has requested the secret path. With TLS, its socket is not the one that was added. */
  trust(socket: Socket): void {
    this.#unknown.delete(nameOf(socket));
  }

  #forget(name: string, socket: Socket): void {
    this.#open.delete(socket);
    if (this.#unknown.get(name) === socket) this.#unknown.delete(name);
  }
}

/** The address and port of the other end, which no other open connection has. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
