import { TokenError } from '../request/errors.ts';
import type { App } from './app-store.ts';
import type { TokenRow } from './session-store.ts';
import type { World } from '../world/world.ts';
import { requireFlow, requiredField } from './client-app.ts';
import { issuePair, sessionMembers, type TokenLifetimes } from './tokens.ts';

/**
 * The result of a refresh. A rejection is returned and not thrown, because the reuse of a token may end the session,
 * and that change must be committed.
 */
type Refreshed = { readonly pair: object } | { readonly rejection: TokenError };

/**
 * Exchanges a refresh token for a new pair. During the grace time a used token returns the same pair again. OAU-210 is
 * the code for tokens that are used, expired, unknown or belong to another app. The error is returned instead of thrown
 * if the state changed.
 * @throws {TokenError} OAU-210, OAU-112, CMN-101.
 */
export function refreshTokens(
  world: World,
  app: App,
  form: TokenLifetimes & { readonly refresh_token?: string | undefined },
): Refreshed {
  requireFlow(world, app, 'refresh');
  const row = world.sessions.find(requiredField(form.refresh_token, 'refresh_token'));
  if (!row || row.tokenKind !== 'refresh' || row.clientId !== app.clientId)
    throw invalidToken('Token is invalid');
  if (row.expiresAt <= world.clock.now()) throw invalidToken('Token expired');
  if (row.usedAt === null) return { pair: renew(world, app, row, form) };
  const pair = samePair(world, app, { ...row, usedAt: row.usedAt });
  if (pair) return { pair };
  if (world.settings.refreshReuseEndsSession) world.sessions.end(row.id);
  return { rejection: invalidToken('Token was already used') };
}

function renew(world: World, app: App, row: TokenRow, form: TokenLifetimes) {
  if (world.settings.refreshEndsAccessToken) world.sessions.dropAccessTokens(row.id);
  const pair = issuePair(world, app, row.id, row.extensionId, form);
  world.sessions.markUsed(row.token, world.clock.now(), pair.refresh_token ?? null, pair.access_token);
  return pair;
}

/** Returns the pair that a used refresh token was exchanged for, during the grace time (OAUTH-49). */
function samePair(world: World, app: App, row: TokenRow & { readonly usedAt: number }) {
  const { refreshGraceSeconds, refreshGraceUnusedSeconds } = world.settings;
  if (refreshGraceSeconds === 0) return undefined;
  const now = world.clock.now();
  const access = world.sessions.find(row.successorAccess ?? '');
  const refresh = world.sessions.find(row.successor ?? '');
  if (!access || access.expiresAt <= now) return undefined;
  const untouched = access.usedAt === null && (refresh?.usedAt ?? null) === null;
  const grace = untouched ? Math.max(refreshGraceSeconds, refreshGraceUnusedSeconds) : refreshGraceSeconds;
  if (now - row.usedAt >= grace * 1000) return undefined;
  const left = (token: TokenRow) => Math.floor((token.expiresAt - now) / 1000);
  return {
    access_token: access.token,
    token_type: 'bearer',
    expires_in: left(access),
    ...(refresh && { refresh_token: refresh.token, refresh_token_expires_in: left(refresh) }),
    owner_id: String(row.extensionId),
    ...sessionMembers(world, app, row.id),
  };
}

function invalidToken(message: string): TokenError {
  return new TokenError(400, 'invalid_grant', 'OAU-210', message);
}
