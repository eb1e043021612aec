import { dialects, type Grant } from '../../contract/dialects.ts';
import { TokenError } from '../request/errors.ts';
import type { App, Registration } from './app-store.ts';
import type { World } from '../world/world.ts';

/** A flow that a registration may forbid. */
export type GrantFlow = 'password' | 'code' | 'refresh' | 'client' | 'assertion';

const withoutPassword: ReadonlySet<Registration> = new Set([
  'Public',
  'PrivateBrowserBased',
  'PrivateServerWeb',
]);

/** Whether the registration of the application allows a flow (OAUTH-7). */
export function mayUse(app: App, flow: GrantFlow): boolean {
  if (flow === 'password') return !withoutPassword.has(app.registration);
  if (flow === 'code') return app.registration !== 'NoUserInterface';
  if (flow === 'client') return app.registration === 'TrustedPartner';
  // An assertion identifies the user; the app that presents it must have a client secret.
  if (flow === 'assertion') return app.clientSecret !== null;
  return app.refreshAllowed;
}

const grantOfFlow = {
  password: 'password',
  code: 'code',
  refresh: 'refresh',
  client: 'client-credentials',
  assertion: 'jwt',
} as const satisfies Readonly<Record<GrantFlow, Grant>>;

/** Whether the service accepts the grant of a flow from any application (CURRENT-16). */
export function acceptsGrant({ settings }: World, flow: GrantFlow): boolean {
  const accepted: readonly Grant[] = dialects[settings.grants === 'all' ? 'spec' : 'current'].grants;
  return accepted.includes(grantOfFlow[flow]);
}

/**
 * Checks the grant of a token request. @throws {TokenError} OAU-251 for a grant that the service does not accept,
 * OAU-112 for a grant that the registration forbids.
 */
export function requireFlow(world: World, app: App, flow: GrantFlow): void {
  if (!acceptsGrant(world, flow))
    throw new TokenError(400, 'unauthorized_client', 'OAU-251', 'Unauthorized grant type');
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
 * Returns the app of the Basic header, compared byte by byte. A public app has no secret and sends its ID in the form.
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

/** Returns a field of a token request. @throws {TokenError} CMN-101 for a missing field or a field without a value. */
export function requiredField(value: string | undefined, name: string): string {
  if (value) return value;
  throw new TokenError(400, 'invalid_request', 'CMN-101', `Parameter [${name}] is missing`);
}
