import type { World } from '../world/world.ts';

/** Adds an event to a session, in the transaction of the change. The event is sent after the commit. */
export function publishToSocket(world: World, key: string, payload: string): void {
  const session = world.sockets.get(key);
  if (!session) return;
  world.socketMessages.add(key, payload, world.settings.webSocketBufferEvents, session.deletable);
}
