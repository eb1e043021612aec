import { liveTransportOf } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { ok, type Finding } from './finding.ts';

/** Names the transport of live events, which depends on the dialect. */
export function checkLiveTransport(ctx: Context): Finding {
  const { dialect, channelTransport } = ctx.settings;
  return liveTransportOf(ctx) === 'websocket'
    ? ok('live-events', `live events arrive through a WebSocket (dialect ${dialect.value})`)
    : ok(
        'live-events',
        `live events arrive through the hosted channel ${channelTransport.value} (dialect ${dialect.value})`,
      );
}
