import type { Operation } from '../../contract/operations.ts';
import type { Caller } from '../request/call.ts';
import { appPermissionMissing, unauthorized } from '../request/errors.ts';
import type { App } from '../oauth/app-store.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { TokenRow } from '../oauth/session-store.ts';
import type { World } from '../world/world.ts';

/**
 * Identifies the caller by the bearer token in the header or the query, and checks the permission of the app. The word
 * `Bearer` may be in any letter case.
 * @throws {ServiceError} 401 with OAU-123, 128 or 213; 403 with CMN-401.
 */
export function authorizeCall(world: World, operation: Operation, headers: Headers, url: URL): Caller {
  const token = world.sessions.find(bearerToken(headers, url));
  if (token?.tokenKind !== 'access') throw unauthorized('OAU-213', 'Token not found');
  if (token.expiresAt <= world.clock.now()) throw unauthorized('OAU-128', 'Access token expired');
  const app = world.apps.byId(token.clientId);
  if (token.kind === 'signup') return signupCaller(operation, app, token.id);
  const extension = world.extensions.byId(token.extensionId);
  if (!app || !extension) throw unauthorized('OAU-149', 'Access token is invalid');
  if (operation.permission && !app.granted.has(operation.permission)) {
    throw appPermissionMissing(operation.permission);
  }
  noteUse(world, token);
  return { app, extension, sessionId: token.id, session: token.kind };
}

/** The first use of a token ends the long grace time of the refresh token that it came from (OAUTH-49). */
function noteUse(world: World, token: TokenRow): void {
  if (world.settings.refreshGraceSeconds === 0 || token.usedAt !== null) return;
  world.sessions.markUsed(token.token, world.clock.now());
}

/** A session without an account may read only the dictionaries (OAUTH-30). */
function signupCaller(operation: Operation, app: App | undefined, sessionId: number): Caller {
  if (!app || !operation.path.startsWith('/restapi/v1.0/dictionary/')) {
    throw unauthorized('OAU-149', 'A signup session has no access to account data');
  }
  return { app, extension: noExtension, sessionId, session: 'signup' };
}

/** A signup session has no account and no extension. */
const noExtension: ExtensionRow = {
  id: 0,
  accountId: 0,
  extensionNumber: null,
  name: '',
  firstName: null,
  lastName: null,
  email: null,
  type: 'User',
  status: 'Unassigned',
  statusReason: null,
  statusComment: null,
  role: 'nobody',
  password: null,
  admin: 0,
  internationalCalling: 0,
};

/** Returns the extension of the user whose token a request has, even if the token has expired. */
export function userOfToken(world: World, headers: Headers, url: URL): ExtensionRow | undefined {
  const token = world.sessions.find(sentToken(headers, url) ?? '');
  return token && world.extensions.byId(token.extensionId);
}

function bearerToken(headers: Headers, url: URL): string {
  const token = sentToken(headers, url);
  if (token) return token;
  const fault = headers.has('authorization') ? 'invalid' : 'not specified';
  throw unauthorized('OAU-123', `Authorization header is ${fault}`);
}

/** Returns the token in the header or, without a header, in the query; a token in an invalid header is undefined. */
function sentToken(headers: Headers, url: URL): string | undefined {
  const header = headers.get('authorization');
  if (header === null) return url.searchParams.get('access_token') ?? undefined;
  return /^bearer +([^\s]+)$/i.exec(header.trim())?.[1];
}
