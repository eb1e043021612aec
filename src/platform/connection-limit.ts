import type { Socket } from 'node:net';

/**
 * Limits the open connections of a server. At the limit, a new connection takes the place of the oldest one that is not
 * trusted. Others can therefore not keep the intended clients out, whether their connections are slow or idle.
 */
export class ConnectionLimit {
  readonly #max: number;
  readonly #open = new Set<Socket>();
  /** Open connections that are not trusted, by their names, oldest first. */
  readonly #unknown = new Map<string, Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Adds a connection. At the limit, closes another one, or this one if all others are trusted. */
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

  /** Keeps a connection, whose client is known. With TLS, its socket is not the one that was added. */
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
