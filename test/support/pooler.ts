import { connect, type Socket } from 'node:net';
import { openLink } from './store-link.ts';

/** When a pooler gives another client the connection to the server: at the end of a session or of a transaction. */
type PoolMode = 'session' | 'transaction';

/**
 * Starts a pooler of connections, such as PgBouncer, until the test ends. In session mode, each client has a connection
 * to the server. In transaction mode, all clients share one.
 * @returns the address of the store through the pooler.
 */
export function startPooler(url: string, mode: PoolMode): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let shared: ServerConnection | undefined;
  const add = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => undefined));
    return socket;
  };
  return openLink(url, sockets, (near) => {
    add(near).once('data', (start) => {
      const own = (): ServerConnection => new ServerConnection(add(connect(Number(port), hostname)), start);
      const server = mode === 'session' ? own() : (shared ??= own());
      server.serve(near);
      if (mode === 'session') near.once('close', () => server.end());
    });
  });
}

/** A connection to the server, which serves one client after the other. */
class ServerConnection {
  readonly #socket: Socket;
  readonly #waiting: { readonly client: Socket; readonly bytes: Buffer }[] = [];
  #client: Socket | undefined;
  #rest: Buffer = Buffer.alloc(0);
  /** The messages of the server before the first statement. */
  readonly #greeting: Promise<readonly Buffer[]>;

  /** @param start the first message of a client. */
  constructor(socket: Socket, start: Buffer) {
    this.#socket = socket;
    socket.write(start);
    this.#greeting = new Promise((resolve) => {
      const greeting: Buffer[] = [];
      socket.on('data', (bytes) => {
        for (const message of this.#messages(bytes)) {
          const isReady = message.toString('latin1', 0, 1) === 'Z';
          if (this.#client) this.#client.write(message);
          else greeting.push(message);
          if (!isReady) continue;
          if (!this.#client) resolve(greeting);
          if (message.toString('latin1', 5) === 'I') this.#next();
        }
      });
    });
  }

  serve(client: Socket): void {
    client.on('data', (bytes) => {
      if (bytes.toString('latin1', 0, 1) === 'X') client.end();
      else if (this.#client === client) this.#socket.write(bytes);
      else {
        this.#waiting.push({ client, bytes });
        if (!this.#client) this.#next();
      }
    });
    void this.#greeting.then((messages) => client.write(Buffer.concat(messages.map(withOtherProcess))));
  }

  end(): void {
    this.#socket.end();
  }

  #next(): void {
    const next = this.#waiting.shift();
    this.#client = next?.client;
    if (next) this.#socket.write(next.bytes);
  }

  /** Returns the complete messages: a type, and a length that includes itself. */
  *#messages(bytes: Buffer): Generator<Buffer> {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= 5 && this.#rest.length > this.#rest.readInt32BE(1)) {
      const length = this.#rest.readInt32BE(1) + 1;
      yield this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
    }
  }
}

/** A pooler names a process of its own, because it forwards requests to cancel a statement. */
function withOtherProcess(message: Buffer): Buffer {
  if (message.toString('latin1', 0, 1) !== 'K') return message;
  const changed = Buffer.from(message);
  changed.writeInt32BE(message.readInt32BE(5) + 1_000_000, 5);
  return changed;
}
