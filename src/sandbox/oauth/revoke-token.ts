import type { Handler } from '../request/call.ts';
import { clientApp } from './client-app.ts';

/**
 * Serves POST oauth/revoke: ends the session of the token in the form or the query. An unknown, expired or malformed
 * token, or a token of another app, also gets 200 but has no effect.
 */
export const revokeToken: Handler<'revokeToken'> = ({ world, headers, body, query }) => {
  const app = clientApp(world, headers, body['client_id']);
  const text = body['token'] ?? [query['token'] ?? ''].flat()[0] ?? '';
  const token = world.sessions.find(text);
  if (token?.clientId === app.clientId && token.expiresAt > world.clock.now()) world.sessions.end(token.id);
  return { text: '' };
};
