import type { Handler } from '../request/call.ts';
import { clientApp } from './client-app.ts';

/**
 * POST oauth/revoke, token in the form or the query: ends the session of the token. Says 200 for a token that is unknown, expired,
 * malformed or another app's, and leaves that alone.
 */
export const revokeToken: Handler<'revokeToken'> = ({ world, headers, body, query }) => {
  const app = clientApp(world, headers, body['client_id']);
  const text = body['token'] ?? [query['token'] ?? ''].flat()[0] ?? '';
  const token = world.sessions.find(text);
  if (token?.clientId === app.clientId && token.expiresAt > world.clock.now()) world.sessions.end(token.id);
  return { text: '' };
};
