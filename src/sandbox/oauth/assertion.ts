import { sign, verify } from 'node:crypto';
import { TokenError } from '../request/errors.ts';
import type { App } from './app-store.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { addressOf } from '../request/uris.ts';
import type { World } from '../world/world.ts';
import { requireEnabled } from './sign-in.ts';
import { signingKey } from './signing-key.ts';

/** The claims that the sandbox reads; times in seconds since 1970. */
interface Claims {
  readonly iss?: unknown;
  readonly sub?: unknown;
  readonly aud?: unknown;
  readonly exp?: unknown;
  readonly nbf?: unknown;
}

/**
 * Returns the user of an assertion. The assertion must be signed with RS256 and the sandbox's key. `sub` is the
 * extension ID, `aud` is the service or its token endpoint, and `iss`, if present, is the app. @throws {TokenError}
 * OAU-129 if the assertion is malformed, has an invalid signature, or is for another audience or app; OAU-128 if it has
 * expired; OAU-141 if the extension is not Enabled.
 */
export function readAssertion(world: World, app: App, assertion: string): ExtensionRow {
  const claims = verified(assertion, world.seed);
  const now = world.clock.now() / 1000;
  if (typeof claims.exp !== 'number') throw invalidGrant('OAU-129', 'The assertion has no expiration time');
  if (claims.exp <= now) throw invalidGrant('OAU-128', 'The assertion is expired');
  if (typeof claims.nbf === 'number' && claims.nbf > now)
    throw invalidGrant('OAU-129', 'The assertion is not valid yet');
  const audiences = [claims.aud].flat();
  const bases = [world.baseUrl, addressOf(world, '')];
  const here: ReadonlySet<unknown> = new Set(bases.flatMap((base) => [base, `${base}/restapi/oauth/token`]));
  if (!audiences.some((audience) => here.has(audience))) {
    throw invalidGrant('OAU-129', 'The assertion is for another audience');
  }
  if (claims.iss !== undefined && claims.iss !== app.clientId) {
    throw invalidGrant('OAU-129', 'The assertion was issued for another application');
  }
  const extension = world.extensions.byId(Number(claims.sub));
  if (!extension || extension.password === null)
    throw invalidGrant('OAU-129', 'The "sub" claim of the assertion is not the ID of a user');
  return requireEnabled(extension);
}

/** Creates an assertion, for tests and for the control API. */
export function makeAssertion(world: World, claims: Readonly<Record<string, unknown>>): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({
    aud: addressOf(world, '/restapi/oauth/token'),
    exp: Math.floor(world.clock.now() / 1000) + 300,
    ...claims,
  })}`;
  const signature = sign('sha256', Buffer.from(content), signingKey(world.seed).privateKey);
  return `${content}.${signature.toString('base64url')}`;
}

function verified(assertion: string, seed: number): Claims {
  const [header = '', claims = '', signature = '', rest] = assertion.split('.');
  const { alg } = readPart(header) as { readonly alg?: unknown };
  const good =
    rest === undefined &&
    alg === 'RS256' &&
    verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      signingKey(seed).publicKey,
      Buffer.from(signature, 'base64url'),
    );
  if (!good) throw invalidGrant('OAU-129', 'The signature of the assertion is not valid');
  return readPart(claims);
}

function readPart(text: string): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Text that is not JSON also gets the error for a malformed assertion below.
  }
  throw invalidGrant('OAU-129', 'The assertion is malformed');
}

function invalidGrant(code: string, message: string): TokenError {
  return new TokenError(400, 'invalid_grant', code, message);
}
