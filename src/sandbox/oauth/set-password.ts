import { notFound } from '../request/errors.ts';
import type { World } from '../world/world.ts';

/**
 * Changes a user's password: all sessions of the user with every app end immediately (OAUTH-47). Returns their number.
 * @throws {ServiceError} CMN-102 for an extension that is unknown or cannot sign in.
 */
export function setPassword(world: World, extensionId: number, password: string): number {
  const extension = world.extensions.byId(extensionId);
  if (!extension || extension.password === null) throw notFound('extensionId');
  world.extensions.setPassword(extensionId, password);
  world.authorizations.endAll(extensionId);
  return world.sessions.endAll(extensionId);
}
