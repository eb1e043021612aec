import { parseJson } from '../../platform/json.ts';
import type { Handler, Reply } from '../request/call.ts';
import { ServiceError } from '../request/errors.ts';
import type { World } from '../world/world.ts';

/**
 * Serves GET /v2/subscribe/{subscriberKey}/{channel}/0: waits for notifications that are published after the time token
 * `tt` (CHANNEL-2). For the time token 0, the reply contains the newest token immediately. If nothing is published, the
 * reply has the same token.
 */
export const readChannel: Handler<'readChannel'> = ({ world, params, query }) => {
  const channels = (params['channel'] ?? '').split(',');
  for (const address of channels) {
    const known = world.subscriptions.byChannel(address)?.subscriberKey === params['subscriberKey'];
    if (!known) throw new ServiceError(400, 'CMN-101', 'Invalid Subscribe Key');
  }
  const last = world.channels.last();
  const after = readToken(query.tt ?? '0');
  if (after === undefined) return reply(last, []);
  // A client with a token from the future would wait forever, so it starts again at the newest message.
  const position = Math.min(after, last);
  const first = news(world, channels, position);
  if (first) return first;
  return {
    async wait() {
      const end = performance.now() + world.settings.channelHoldMilliseconds;
      for (let left = end - performance.now(); left > 0; left = end - performance.now()) {
        await world.channels.next(left);
        if (world.channels.isClosed) break;
        const found = news(world, channels, position);
        if (found) return () => found;
      }
      return () => reply(position, []);
    },
  };
};

/**
 * Serves GET /time/0. Clients send this request after a network error, and continue to read the channel when the
 * request succeeds (CHANNEL-5).
 */
export const readChannelTime: Handler<'readChannelTime'> = ({ world }) => {
  const last = world.channels.last();
  // A JSON number of this size is exact only if it is even. The previous token is safe, because a client that
  // continues there misses no message.
  return { json: [Number(toToken(last - (last % 2)))] };
};

/** Serves GET /v2/presence/sub-key/{subscriberKey}/channel/{channel}/leave, which changes nothing (CHANNEL-6). */
export const leaveChannel: Handler<'leaveChannel'> = () => ({
  json: { status: 200, message: 'OK', action: 'leave', service: 'Presence' },
});

function news(world: World, channels: readonly string[], after: number): Reply | undefined {
  const rows = world.channels.after(channels, after);
  const newest = rows.at(-1);
  if (!newest) return undefined;
  const read = rows.map(({ deliveryId }) => deliveryId);
  world.commitInBackground(() => world.deliveries.settle(read, 'delivered', world.clock.now()));
  const messages = rows.map(({ id, channel, payload }) => ({
    c: channel,
    d: parseJson(payload),
    p: { t: toToken(id), r: 1 },
  }));
  return reply(newest.id, messages);
}

function reply(position: number, messages: readonly object[]): Reply {
  return { json: { t: { t: toToken(position), r: 1 }, m: messages } };
}

/** Returns the time token, which has 17 digits, as clients of such channels expect: a 1 and the position. */
function toToken(position: number): string {
  return `1${String(position).padStart(16, '0')}`;
}

/** Returns the position of a time token; undefined for 0, which means the newest message. */
function readToken(text: string): number | undefined {
  return text.length === 17 ? Number(text.slice(1)) : undefined;
}
