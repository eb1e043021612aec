import type { WebSocketToken, WebSocketPosition } from '../../../../contract/web-socket.ts';
import { ReplyError } from '../../../../errors/service.ts';
import { isLoopback } from '../../../../platform/base-url.ts';

/**
 * Returns the address of a connection, with the token and the position to continue from.
 * @throws {ReplyError} for an address to which the token must not be sent.
 */
export function socketAddress(token: WebSocketToken, continued: WebSocketPosition | undefined): URL {
  const url = URL.canParse(token.uri) ? new URL(token.uri) : undefined;
  // The token must be encrypted on the network. Connections to this machine may omit TLS.
  const isSafe = url?.protocol === 'wss:' || (url?.protocol === 'ws:' && isLoopback(url.hostname));
  if (!url || !isSafe) {
    const request = { method: 'POST', path: '/restapi/oauth/wstoken' };
    throw new ReplyError(200, request, 'an address that is neither wss:// nor local');
  }
  url.hash = '';
  url.searchParams.set('access_token', token.ws_access_token);
  if (continued) url.searchParams.set('wsc', continued.token);
  return url;
}
