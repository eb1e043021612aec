import { notFound } from '../request/errors.ts';
import type { World } from '../world/world.ts';

/**
 * Changes a user's password: all sessions with every application end immediately (OAUTH-47).
 * @throws {ServiceError} CMN-102 for an extension that is unknown or cannot sign in.
 */
export function setPassword(world: World, extensionId: number, password: string): void {
  const extension = world.extensions.byId(extensionId);
  if (!extension || extension.password === null) throw notFound('extensionId');
  world.extensions.setPassword(extensionId, password);
  world.sessions.endAll(extensionId);
  world.authorizations.endAll(extensionId);
}
