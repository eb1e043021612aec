import type { WebSocketPosition } from '../../contract/web-socket.ts';
import type { SocketToken } from './token-store.ts';

/** The part of a connection that its session uses. */
export interface LiveConnection {
  /** Time of the last frame in any direction, by the clock of the sandbox. */
  readonly lastActive: number;
  /** Whether a frame can still be sent. */
  readonly isWritable: boolean;
  /** Sends a frame. Resolves when the connection can accept more frames. */
  send(frame: string): Promise<void> | undefined;
  /** Sends a frame in three fragments. */
  sendSplit(frame: string): Promise<void> | undefined;
  /** Ends the connection after its idle time or its absolute time (SOCKET-8). */
  timeOut(kind: 'idle' | 'absolute'): void;
  terminate(): void;
  /** Closes the connection because the sandbox stops. */
  close(): void;
}

/** A session, which has a connection or waits for the next connection. */
export interface LiveSession {
  /** The secret part of the session's recovery tokens, and the key of the session's events. */
  readonly key: string;
  readonly owner: Omit<SocketToken, 'expiresAt'>;
  /** The subscription of the session; a second subscription replaces the first subscription. */
  subscriptionId: string | undefined;
  readonly connection: LiveConnection | undefined;
  /** Position up to which events may be deleted: the sent events, or all events while there is no connection. */
  readonly deletable: number;
  /** The newest position that was sent, with its recovery token. */
  position(): WebSocketPosition;
  /** Attaches a connection, which continues after `sequence`, and ends the previous connection. */
  attach(connection: LiveConnection, sequence: number): void;
  /** Starts to send events, after `ConnectionDetails` was sent. */
  start(connection: LiveConnection): void;
  /** Removes a connection that ended. Returns false if the connection has already been replaced. */
  detach(connection: LiveConnection): boolean;
  /** Sends all events that were not sent. */
  send(): void;
}

/** The sessions of the sandbox. They are in memory and end with the process, as connections do. */
export class SocketRegistry {
  readonly #sessions = new Map<string, LiveSession>();
  #connections = 0;
  #announced = 0;

  /** Returns a new name for a connection, with which the messageIds of its frames begin. */
  nextName(): string {
    this.#connections += 1;
    return `server-${this.#connections}`;
  }

  add(session: LiveSession): void {
    this.#sessions.set(session.key, session);
  }

  get(key: string): LiveSession | undefined {
    return this.#sessions.get(key);
  }

  remove(key: string): void {
    this.#sessions.delete(key);
  }

  /** Returns the number of connections of one sign-in. */
  connections(sessionId: number): number {
    return this.#all((one) => one.connection !== undefined && one.owner.sessionId === sessionId).length;
  }

  /** Returns the sessions of a user and application that wait for a connection, oldest first. */
  waiting(extensionId: number, clientId: string): readonly LiveSession[] {
    return this.#all(
      ({ connection, owner }) =>
        connection === undefined && owner.extensionId === extensionId && owner.clientId === clientId,
    );
  }

  /** Returns the sessions of a user with every application. */
  ofUser(extensionId: number): readonly LiveSession[] {
    return this.#all(({ owner }) => owner.extensionId === extensionId);
  }

  /**
   * Sends the published events; called after every commit.
   * @param added number of events that were added until now.
   */
  wake(added: number): void {
    if (added === this.#announced) return;
    this.#announced = added;
    for (const session of this.#sessions.values()) session.send();
  }

  /** Ends all connections and sessions; their events and subscriptions stay. */
  close(): void {
    for (const session of this.#sessions.values()) {
      const { connection } = session;
      if (!connection) continue;
      session.detach(connection);
      connection.close();
    }
    this.#sessions.clear();
  }

  #all(matches: (session: LiveSession) => boolean): readonly LiveSession[] {
    return [...this.#sessions.values()].filter(matches);
  }
}
