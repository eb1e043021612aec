import type { ConnectionDetails, RecoveryState } from '../../contract/web-socket.ts';
import { ServiceError } from '../request/errors.ts';
import { endSubscription } from '../subscriptions/rules.ts';
import type { World } from '../world/world.ts';
import { callerOf } from './caller.ts';
import { socketErrors } from './frames.ts';
import { firstPosition } from './message-store.ts';
import type { LiveConnection, LiveSession } from './registry.ts';
import { SocketSession } from './session.ts';
import { endSession, sessionTimers, stopTimers } from './session-end.ts';
import type { SocketToken } from './token-store.ts';

/** A session with the connection that was attached to it. */
interface Opened {
  readonly session: LiveSession;
  readonly recoveryState: RecoveryState | undefined;
}

/**
 * Opens or continues a session for a new connection. Must run in a transaction. @throws {ServiceError} for an invalid
 * token, or too many connections.
 */
export function openSession(
  world: World,
  connection: LiveConnection,
  token: string | null,
  wsc: string | null,
): Opened {
  const { settings, socketTokens, clock } = world;
  const owner = socketTokens.take(token ?? '', clock.now(), settings.webSocketTokenReuse);
  if (!owner) {
    throw new ServiceError(401, socketErrors.token, 'WebSocket access token is invalid or expired');
  }
  // The user and the application must still exist.
  callerOf(world, owner);
  const known = wsc === null ? undefined : findRecoverable(world, wsc, owner);
  if (!known?.session.connection) requireRoom(world, owner.sessionId);
  const session = known?.session ?? new SocketSession(world, world.random.token(), owner);
  world.sockets.add(session);
  session.attach(connection, known?.sequence ?? firstPosition);
  stopTimers(world, session.key);
  const now = clock.now();
  world.timers.set(sessionTimers.idle, session.key, now + settings.webSocketIdleSeconds * 1000);
  world.timers.set(sessionTimers.absolute, session.key, now + settings.webSocketAbsoluteSeconds * 1000);
  if (wsc === null) return { session, recoveryState: undefined };
  return { session, recoveryState: known ? 'Successful' : 'Failed' };
}

/** Returns the body of `ConnectionDetails`. */
export function connectionDetails(
  { settings, clock }: World,
  recoveryState: RecoveryState | undefined,
): ConnectionDetails {
  return {
    creationTime: clock.iso(),
    maxConnectionsPerSession: settings.webSocketConnections,
    recoveryBufferSize: settings.webSocketBufferEvents,
    recoveryTimeout: settings.webSocketRecoverySeconds,
    idleTimeout: settings.webSocketIdleSeconds,
    absoluteTimeout: settings.webSocketAbsoluteSeconds,
    maxActiveRequests: settings.webSocketActiveRequests,
    ...(recoveryState && { recoveryState }),
    ...(recoveryState === 'Failed' && { recoveryErrorCode: socketErrors.recovery }),
  };
}

/**
 * Starts the wait for the next connection, after a connection has ended.
 * @param isFinal the client closed the connection normally and will not continue.
 */
export function loseConnection(
  world: World,
  session: LiveSession,
  connection: LiveConnection,
  isFinal: boolean,
): void {
  if (!session.detach(connection)) return;
  world.commitInBackground(() => {
    // Another connection may have continued the session before this transaction.
    if (session.connection) return;
    if (isFinal) return endSession(world, session);
    stopTimers(world, session.key);
    const due = world.clock.now() + world.settings.webSocketRecoverySeconds * 1000;
    world.timers.set(sessionTimers.recovery, session.key, due);
  });
}

/**
 * Handles the idle timer: ends the connection of a session without frames, or sets the timer again. Must run in a
 * transaction.
 */
export function endIdle(world: World, key: string): void {
  const connection = world.sockets.get(key)?.connection;
  if (!connection) return;
  const due = connection.lastActive + world.settings.webSocketIdleSeconds * 1000;
  if (due > world.clock.now()) world.timers.set(sessionTimers.idle, key, due);
  else connection.timeOut('idle');
}

/** Handles the timer that ends a connection that has reached its maximum age. */
export function endAbsolute(world: World, key: string): void {
  world.sockets.get(key)?.connection?.timeOut('absolute');
}

/** Handles the timer that ends a session which no connection has continued. Must run in a transaction. */
export function endLost(world: World, key: string): void {
  const session = world.sockets.get(key);
  if (session && !session.connection) endSession(world, session);
}

/**
 * Ends all sessions without a chance of recovery. Called when the sandbox starts, and after its tables were replaced.
 * Must run in a transaction.
 */
export function resetSockets(world: World): void {
  world.sockets.close();
  world.socketTokens.clear();
  world.socketMessages.clear();
  for (const row of world.subscriptions.all()) {
    if (row.transportType === 'WebSocket') endSubscription(world, row);
  }
}

/** Returns the session and position of a recovery token of this user and application. */
function findRecoverable(world: World, wsc: string, { clientId, extensionId }: SocketToken) {
  if (world.faults.onSocketRecovery()) return undefined;
  const [, key = '', digits = ''] = /^(.+)\.(\d{1,15})$/.exec(wsc) ?? [];
  const session = world.sockets.get(key);
  const sequence = Number(digits);
  if (session?.owner.clientId !== clientId || session.owner.extensionId !== extensionId) return undefined;
  if (sequence < firstPosition || sequence > world.socketMessages.newest(key)) return undefined;
  return { session, sequence };
}

function requireRoom(world: World, sessionId: number): void {
  const { webSocketConnections: limit } = world.settings;
  if (world.sockets.connections(sessionId) < limit) return;
  throw new ServiceError(429, socketErrors.connections, `The limit of ${limit} connections is reached`);
}
