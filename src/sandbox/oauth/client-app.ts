import { TokenError } from '../request/errors.ts';
import type { App, Registration } from './app-store.ts';
import type { World } from '../world/world.ts';

/** A way to a token that a registration may forbid. */
export type Flow = 'password' | 'code' | 'refresh' | 'client' | 'assertion';

const withoutPassword: ReadonlySet<Registration> = new Set([
  'Public',
  'PrivateBrowserBased',
  'PrivateServerWeb',
]);

/** Whether the registration of the application allows a flow (OAUTH-7). */
export function mayUse(app: App, flow: Flow): boolean {
  if (flow === 'password') return !withoutPassword.has(app.registration);
  if (flow === 'code') return app.registration !== 'NoUserInterface';
  if (flow === 'client') return app.registration === 'TrustedPartner';
  // An assertion is a credential of its own, but only an app that proves itself may present it.
  if (flow === 'assertion') return app.clientSecret !== null;
  return app.refreshAllowed;
}

/** @throws {TokenError} OAU-112. */
export function requireFlow(app: App, flow: Flow): void {
  if (mayUse(app, flow)) return;
  const names = {
    password: 'password',
    code: 'authorization_code',
    refresh: 'refresh_token',
    client: 'client_credentials',
    assertion: 'jwt-bearer',
  };
  throw new TokenError(
    403,
    'unauthorized_client',
    'OAU-112',
    `The application is not allowed to use the grant type ${names[flow]}`,
  );
}

/**
 * The app of the Basic header, compared byte by byte; a public app has no secret and names itself in the form.
 * @throws {TokenError} OAU-123 or OAU-146.
 */
export function clientApp(world: World, headers: Headers, clientId: string | undefined): App {
  const header = headers.get('authorization');
  if (header === null) return publicApp(world, clientId);
  const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(header.trim())?.[1];
  if (encoded === undefined) throw badHeader('Authorization header is invalid');
  const credentials = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = credentials.indexOf(':');
  const app = world.apps.byId(credentials.slice(0, Math.max(colon, 0)));
  if (!app || app.clientSecret === null || app.clientSecret !== credentials.slice(colon + 1))
    throw unknownClient();
  if (clientId !== undefined && clientId !== app.clientId) throw unknownClient();
  return app;
}

function publicApp(world: World, clientId: string | undefined): App {
  if (clientId === undefined) throw badHeader('Authorization header is not specified');
  const app = world.apps.byId(clientId);
  if (app?.clientSecret !== null) throw unknownClient();
  return app;
}

function badHeader(message: string): TokenError {
  return new TokenError(401, 'invalid_client', 'OAU-123', message);
}

function unknownClient(): TokenError {
  return new TokenError(401, 'invalid_client', 'OAU-146', 'Client credentials are invalid');
}
