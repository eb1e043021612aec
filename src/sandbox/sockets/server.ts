import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { ServiceError } from '../request/errors.ts';
import type { World } from '../world/world.ts';
import { Connection } from './connection.ts';
import { socketErrors, writeFrame } from './frames.ts';
import { answerRequest } from './requests.ts';
import type { LiveSession } from './registry.ts';
import { connectionDetails, loseConnection, openSession } from './sessions.ts';

/** Maximum size of a message in bytes. A larger message ends the connection with the close code 1009. */
const messageBytes = 16 * 1_048_576;

/** Accepts the WebSocket of an upgrade request whose Host, Origin and path were checked. */
export type AcceptSocket = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Serves WebSockets. */
export function serveSockets(world: World, validateReplies: boolean): AcceptSocket {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: messageBytes,
    perMessageDeflate: false,
    // Faults determine whether the sandbox replies to a ping.
    autoPong: false,
  });
  return (request, socket, head) => {
    server.handleUpgrade(request, socket, head, (client) => {
      void connect(world, client, request.url ?? '', validateReplies);
    });
  };
}

/**
 * Opens or continues a session. An invalid token causes an error frame, because clients expect a connection before they
 * get this error.
 */
async function connect(
  world: World,
  client: WebSocket,
  url: string,
  validateReplies: boolean,
): Promise<void> {
  const query = new URL(url, 'http://127.0.0.1').searchParams;
  let session: LiveSession | undefined;
  const connection = new Connection(world, client, world.sockets.nextName(), {
    onRequest: async ({ meta, body }) =>
      session && answerRequest(world, session, meta, body, validateReplies),
    onEnd: (isFinal) => session && loseConnection(world, session, connection, isFinal),
  });
  try {
    const opened = await world.commit(() =>
      openSession(world, connection, query.get('access_token'), query.get('wsc')),
    );
    session = opened.session;
    const meta = {
      type: 'ConnectionDetails',
      messageId: connection.nextId(),
      status: 200,
      wsc: session.position(),
    } as const;
    connection.open(writeFrame([meta, connectionDetails(world, opened.recoveryState)]));
    session.start(connection);
    // The client may have left while the session was opened.
    if (!connection.isWritable) loseConnection(world, session, connection, false);
  } catch (error) {
    if (error instanceof ServiceError) return connection.fail(error.status, error.code, error.message);
    world.noteFailure(error);
    connection.fail(500, socketErrors.frame, 'Internal error');
  }
}
