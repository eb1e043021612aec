import type { Operation } from '../contract/operations.ts';
import type { Caller } from './call.ts';
import { appPermissionMissing, unauthorized } from './errors.ts';
import type { World } from './world.ts';

/**
 * Who is calling, by the bearer token of the header (any case) or of the query, and whether the app may.
 * @throws {ServiceError} 401 with OAU-123, 128 or 213; 403 with CMN-401.
 */
export function authorizeCall(world: World, operation: Operation, headers: Headers, url: URL): Caller {
  const token = world.sessions.find(bearerToken(headers, url));
  if (token?.kind !== 'access') throw unauthorized('OAU-213', 'Token not found');
  if (token.expiresAt <= world.clock.now()) throw unauthorized('OAU-128', 'Access token expired');
  const app = world.apps.byId(token.clientId);
  const extension = world.extensions.byId(token.extensionId);
  if (!app || !extension) throw unauthorized('OAU-149', 'Access token is invalid');
  if (operation.permission && !app.granted.has(operation.permission)) {
    throw appPermissionMissing(operation.permission);
  }
  return { app, extension, sessionId: token.id };
}

function bearerToken(headers: Headers, url: URL): string {
  const header = headers.get('authorization');
  if (header !== null) {
    const token = /^bearer +([^\s]+)$/i.exec(header.trim())?.[1];
    if (token === undefined) throw unauthorized('OAU-123', 'Authorization header is invalid');
    return token;
  }
  const token = url.searchParams.get('access_token');
  if (!token) throw unauthorized('OAU-123', 'Authorization header is not specified');
  return token;
}
