import { webSocket } from '../../contract/limits.ts';
import type { Handler, Routes } from '../request/call.ts';
import { addressOf } from '../request/uris.ts';

/** Serves POST oauth/wstoken: the address of the WebSocket and a token for it. */
const createWebSocketToken: Handler<'createWebSocketToken'> = ({ world, caller }) => {
  const { webSocketTokenSeconds: seconds } = world.settings;
  const now = world.clock.now();
  const token = world.random.token();
  const owner = {
    clientId: caller.app.clientId,
    extensionId: caller.extension.id,
    sessionId: caller.sessionId,
    expiresAt: now + seconds * 1000,
  };
  world.socketTokens.add(token, owner, now);
  const uri = addressOf(world, webSocket.path).replace(/^http/, 'ws');
  return { json: { uri, ws_access_token: token, expires_in: seconds } };
};

/** The operation for connections of a WebSocket. */
export const socketRoutes = { createWebSocketToken } satisfies Routes;
