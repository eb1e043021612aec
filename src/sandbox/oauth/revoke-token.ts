import type { Handler } from '../request/call.ts';
import { clientApp } from './client-app.ts';

/**
 * POST oauth/revoke, token in the form or the query: ends the session of the token. Says 200 for a token that is unknown, expired,
 * malformed or another app's, and leaves that alone.
 */
export const revokeToken: Handler<'revokeToken'> = ({ world, headers, body, query }) => {
  const form = body as unknown as Readonly<Record<string, string>>;
  const app = clientApp(world, headers, form['client_id']);
  const fromQuery = (query as unknown as Readonly<Record<string, string | readonly string[]>>)['token'];
  const text = form['token'] ?? [fromQuery ?? ''].flat()[0] ?? '';
  const token = world.sessions.find(text);
  if (token?.clientId === app.clientId && token.expiresAt > world.clock.now()) world.sessions.end(token.id);
  return { text: '' };
};
