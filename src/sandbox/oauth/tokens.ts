import { accessTokenSeconds, refreshTokenSeconds } from '../../contract/limits.ts';
import type { App } from './app-store.ts';
import type { World } from '../world/world.ts';

/** Requested lifetimes in seconds. */
export interface TokenLifetimes {
  readonly access_token_ttl?: number | undefined;
  readonly refresh_token_ttl?: number | undefined;
}

/** Opens a session. If the user has too many sessions with this app, the oldest session ends. */
export function openSession(
  world: World,
  app: App,
  extensionId: number,
  endpointId: string | undefined,
): number {
  const { clientId } = app;
  const createdAt = world.clock.now();
  const id = world.sessions.open({ clientId, extensionId, endpointId: endpointId ?? null, createdAt });
  world.sessions.endOldest(extensionId, clientId, world.settings.sessionsPerUserAndApp);
  return id;
}

/** Issues a pair of tokens for a session (OAUTH-35 to OAUTH-41). */
export function issuePair(
  world: World,
  app: App,
  sessionId: number,
  extensionId: number,
  lifetimes: TokenLifetimes,
) {
  const now = world.clock.now();
  const access = issueAccess(world, sessionId, lifetimes);
  const refreshSeconds = refreshLifetime(world, lifetimes.refresh_token_ttl);
  const withRefresh = app.refreshAllowed && refreshSeconds > 0;
  const refresh = world.random.token();
  if (withRefresh) world.sessions.addToken(refresh, 'refresh', sessionId, now + refreshSeconds * 1000);
  return {
    ...access,
    ...(withRefresh && { refresh_token: refresh, refresh_token_expires_in: refreshSeconds }),
    owner_id: String(extensionId),
    ...sessionMembers(world, app, sessionId),
  };
}

/** Returns the members that every token reply of a user has in dialect `current` (OAUTH-58). */
export function sessionMembers(world: World, app: App, sessionId: number) {
  if (world.dialectName !== 'current') return {};
  return { scope: [...app.granted].join(' '), session_id: String(sessionId) };
}

/** Returns an access token without a refresh token. */
export function issueAccess(world: World, sessionId: number, lifetimes: TokenLifetimes) {
  const seconds = accessLifetime(lifetimes.access_token_ttl);
  const token = world.random.token();
  world.sessions.addToken(token, 'access', sessionId, world.clock.now() + seconds * 1000);
  return { access_token: token, token_type: 'bearer', expires_in: seconds };
}

/** Returns the access token lifetime: at least the minimum; the default if the request is above the maximum. */
function accessLifetime(asked: number | undefined): number {
  const { min, max, default: usual } = accessTokenSeconds;
  if (asked === undefined || asked > max) return usual;
  return Math.max(asked, min);
}

/**
 * Returns the refresh token lifetime: the default if the request is above the maximum; 0 or less means no refresh
 * token.
 */
function refreshLifetime({ dialect }: World, asked: number | undefined): number {
  if (asked === undefined || asked > dialect.refreshTokenMaxSeconds) return refreshTokenSeconds;
  return asked;
}
