import { accessTokenSeconds, refreshTokenSeconds } from '../../contract/limits.ts';
import type { App } from './app-store.ts';
import type { World } from '../world/world.ts';

/** Lifetimes that the client asks for, in seconds. */
export interface Lifetimes {
  readonly access_token_ttl?: number | undefined;
  readonly refresh_token_ttl?: number | undefined;
}

/** Opens a session; the user's oldest with this app ends when there are too many. */
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
  lifetimes: Lifetimes,
) {
  const now = world.clock.now();
  const access = issueAccess(world, sessionId, lifetimes);
  const refreshSeconds = refreshLifetime(lifetimes.refresh_token_ttl);
  const withRefresh = app.refreshAllowed && refreshSeconds > 0;
  const refresh = world.random.token();
  if (withRefresh) world.sessions.addToken(refresh, 'refresh', sessionId, now + refreshSeconds * 1000);
  return {
    ...access,
    ...(withRefresh && { refresh_token: refresh, refresh_token_expires_in: refreshSeconds }),
    owner_id: String(extensionId),
  };
}

/** An access token alone. */
export function issueAccess(world: World, sessionId: number, lifetimes: Lifetimes) {
  const seconds = accessLifetime(lifetimes.access_token_ttl);
  const token = world.random.token();
  world.sessions.addToken(token, 'access', sessionId, world.clock.now() + seconds * 1000);
  return { access_token: token, token_type: 'bearer', expires_in: seconds };
}

/** Below the minimum: the minimum. Above the maximum: the default. */
function accessLifetime(asked: number | undefined): number {
  const { min, max, default: usual } = accessTokenSeconds;
  if (asked === undefined || asked > max) return usual;
  return Math.max(asked, min);
}

/** Above the default: the default. Nothing or less: no refresh token. */
function refreshLifetime(asked: number | undefined): number {
  if (asked === undefined || asked > refreshTokenSeconds) return refreshTokenSeconds;
  return asked;
}
