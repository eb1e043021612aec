import type { Caller } from '../request/call.ts';
import { unauthorized } from '../request/errors.ts';
import type { World } from '../world/world.ts';
import type { LiveSession } from './registry.ts';

/**
 * Returns the current user and application of a session. @throws {ServiceError} 401 if the user or the application was
 * removed, or the user is not Enabled.
 */
export function callerOf(world: World, { clientId, extensionId, sessionId }: LiveSession['owner']): Caller {
  const app = world.apps.byId(clientId);
  const extension = world.extensions.byId(extensionId);
  if (!app || extension?.status !== 'Enabled') throw unauthorized('OAU-149', 'Access token is invalid');
  return { app, extension, sessionId, session: 'user' };
}
