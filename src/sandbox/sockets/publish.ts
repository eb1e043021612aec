import type { World } from '../world/world.ts';

/** Adds an event to a session, in the transaction of the change. The event is sent after the commit. */
export function publishToSocket(world: World, key: string, payload: string, deliveryId: number): void {
  const session = world.sockets.get(key);
  if (!session) return;
  const { webSocketBufferEvents: retained } = world.settings;
  const deleted = world.socketMessages.add(key, { payload, deliveryId }, retained, session.deletable);
  // While there is a connection, only events that were sent are deleted.
  if (session.connection || deleted.length === 0) return;
  const reason = `the session retains only the newest ${retained} events`;
  world.deliveries.lose(deleted, reason, world.clock.now());
}
