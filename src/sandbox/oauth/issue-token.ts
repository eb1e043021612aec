import { createHash } from 'node:crypto';
import type { Call, Handler } from '../request/call.ts';
import { TokenError } from '../request/errors.ts';
import type { App } from './app-store.ts';
import type { AuthorizationRow } from './authorization-store.ts';
import type { World } from '../world/world.ts';
import { readAssertion } from './assertion.ts';
import { clientApp, requireFlow, requiredField } from './client-app.ts';
import { clientCredentials } from './client-credentials.ts';
import { refreshTokens } from './refresh.ts';
import { signIn } from './sign-in.ts';
import { issuePair, openSession } from './tokens.ts';

type TokenCall = Call<'issueToken'>;

/** Serves POST oauth/token. */
export const issueToken: Handler<'issueToken'> = (call) => {
  const { world, body } = call;
  const app = clientApp(world, call.headers, body.client_id);
  const headers = { 'cache-control': 'no-store' };
  switch (body.grant_type) {
    case 'password':
      return { json: passwordGrant(call, app), headers };
    case 'authorization_code':
      return { json: codeGrant(call, app), headers };
    case 'refresh_token': {
      const refreshed = refreshTokens(world, app, body);
      if ('pair' in refreshed) return { json: refreshed.pair, headers };
      return { status: refreshed.rejection.status, json: refreshed.rejection.body };
    }
    case 'client_credentials':
      return { json: clientCredentials(world, app, body), headers };
    case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
      return { json: assertionGrant(call, app), headers };
    default:
      throw new TokenError(400, 'unsupported_grant_type', 'OAU-251', 'Unsupported grant type');
  }
};

function passwordGrant({ world, body }: TokenCall, app: App) {
  requireFlow(world, app, 'password');
  const { extension } = body;
  const username = requiredField(body.username, 'username');
  const user = signIn(world, { username, extension, password: requiredField(body.password, 'password') });
  const session = openSession(world, app, user.id, body.endpoint_id);
  return issuePair(world, app, session, user.id, body);
}

function assertionGrant({ world, body }: TokenCall, app: App) {
  requireFlow(world, app, 'assertion');
  const user = readAssertion(world, app, requiredField(body.assertion, 'assertion'));
  const session = openSession(world, app, user.id, body.endpoint_id);
  return issuePair(world, app, session, user.id, body);
}

function codeGrant({ world, body }: TokenCall, app: App) {
  requireFlow(world, app, 'code');
  const redirectUri = requiredField(body.redirect_uri, 'redirect_uri');
  const row = usableCode(world, app, requiredField(body.code, 'code'));
  if (row.redirectUri !== redirectUri) throw invalidCode('OAU-109', 'Redirect URIs do not match');
  if (world.settings.pkce === 'enforce') checkVerifier(row, body.code_verifier);
  const session = openSession(world, app, row.extensionId, body.endpoint_id);
  world.authorizations.markUsed(row.code, session);
  const pair = issuePair(world, app, session, row.extensionId, body);
  return { ...pair, scope: [...app.granted].join(' ') };
}

function usableCode(world: World, app: App, code: string): AuthorizationRow {
  const row = world.authorizations.find(code);
  if (row?.stage !== 'code') throw invalidCode('OAU-106', 'Authorization code is invalid');
  if (row.clientId !== app.clientId)
    throw invalidCode('OAU-110', 'Authorization code belongs to another application');
  if (row.expiresAt <= world.clock.now()) throw invalidCode('OAU-108', 'Authorization code is expired');
  return row;
}

/** PKCE: a code with a challenge requires the matching verifier. */
function checkVerifier(row: AuthorizationRow, verifier: string | undefined): void {
  if (row.codeChallenge === null) return;
  const text = verifier ?? '';
  const proof =
    row.codeChallengeMethod === 'S256' ? createHash('sha256').update(text).digest('base64url') : text;
  if (proof !== row.codeChallenge) throw invalidCode('OAU-106', 'Code verifier does not match the challenge');
}

function invalidCode(code: string, message: string): TokenError {
  return new TokenError(400, 'invalid_grant', code, message);
}
