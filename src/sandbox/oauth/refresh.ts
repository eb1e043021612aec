import { TokenRefusal } from '../errors.ts';
import type { App } from '../store/apps.ts';
import type { TokenRow } from '../store/sessions.ts';
import type { World } from '../world.ts';
import { requireFlow } from './client-app.ts';
import { issuePair, type Lifetimes } from './tokens.ts';

/**
 * A new pair for a refresh token, which is then used up; the old access token ends at once.
 * @throws {TokenRefusal} OAU-210 for a used, expired, unknown or foreign one.
 */
export function refreshTokens(
  world: World,
  app: App,
  form: Lifetimes & { readonly refresh_token?: string | undefined },
) {
  requireFlow(app, 'refresh');
  const row = world.sessions.find(form.refresh_token ?? '');
  const now = world.clock.now();
  if (!row || row.kind !== 'refresh' || row.clientId !== app.clientId) throw refused('Token is invalid');
  if (row.expiresAt <= now) throw refused('Token expired');
  if (row.usedAt !== null && now - row.usedAt >= world.settings.refreshGraceSeconds * 1000) {
    throw refused('Token was used already');
  }
  return renew(world, app, row, form);
}

function renew(world: World, app: App, row: TokenRow, form: Lifetimes) {
  world.sessions.dropAccessTokens(row.id);
  const pair = issuePair(world, app, row.id, row.extensionId, form);
  world.sessions.markUsed(row.token, row.usedAt ?? world.clock.now(), pair.refresh_token ?? null);
  return pair;
}

function refused(message: string): TokenRefusal {
  return new TokenRefusal(400, 'invalid_grant', 'OAU-210', message);
}
