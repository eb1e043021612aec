import { endSubscription } from '../subscriptions/rules.ts';
import type { World } from '../world/world.ts';
import type { LiveSession } from './registry.ts';

/** Kinds of timers of a session: timers of its connection, and the timer of the wait for the next connection. */
export const sessionTimers = {
  idle: 'socket.idle',
  absolute: 'socket.absolute',
  recovery: 'socket.recovery',
} as const;

/** Ends a session with its subscription and events. Must run in a transaction. */
export function endSession(world: World, session: LiveSession): void {
  world.sockets.remove(session.key);
  stopTimers(world, session.key);
  endSubscriptionOf(world, session);
  world.socketMessages.drop(session.key);
}

/** Ends the sessions of a user, with their connections. Must run in a transaction. */
export function endSessionsOf(world: World, extensionId: number): void {
  for (const session of world.sockets.ofUser(extensionId)) {
    const { connection } = session;
    endSession(world, session);
    if (connection && session.detach(connection)) connection.close();
  }
}

/** Ends the subscription of a session, if it has one. Must run in a transaction. */
export function endSubscriptionOf(world: World, session: LiveSession): void {
  const row = world.subscriptions.byId(session.subscriptionId ?? '');
  session.subscriptionId = undefined;
  if (row) endSubscription(world, row);
}

/** Cancels all timers of a session. Must run in a transaction. */
export function stopTimers(world: World, key: string): void {
  for (const kind of Object.values(sessionTimers)) world.timers.cancel(kind, key);
}
