import type { Client } from '../../client/index.ts';
import { isLoopback } from '../../platform/base-url.ts';
import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import type { WatchOptions } from '../../runtime/watch-options.ts';
import type { Received } from './notification/notification.ts';
import { parsePublicUrl } from './receive/address.ts';
import { liveTransportOf, transportOf } from './receive/transport-options.ts';
import { openLiveSession, type LiveSession } from './session.ts';

/** Live events for a view that falls back to polling. */
export interface ViewSessionPlan {
  readonly api: Client;
  readonly eventFilters: readonly string[];
  readonly receiver: string;
  readonly options: WatchOptions;
  /** Called with each notification. Notifications are not stored. */
  readonly onNotification: (received: Received) => void;
  /** Called when events were missed. */
  readonly onMissed: () => void;
  /** Called when no more events can arrive. */
  readonly onEnd: () => void;
}

/**
 * Opens a live session through a WebSocket if the dialect has one, or through a webhook if the service can reach this
 * machine: the service runs on this machine, or --public-url is set. Otherwise returns undefined, and the view polls.
 * If the session failed to open, a note shows the reason. Missed events are not recovered, because the view reads the
 * current state again.
 */
export async function openSessionIfReachable(
  ctx: Context,
  { api, eventFilters, receiver, options, onNotification, onMissed, onEnd }: ViewSessionPlan,
): Promise<LiveSession | undefined> {
  // An invalid address is a usage error, not a reason to poll.
  const publicUrl = options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl, false);
  const name = viewTransport(ctx, publicUrl !== undefined);
  if (options.poll || eventFilters.length === 0 || name === undefined) return undefined;
  const transport = await transportOf(ctx, {
    ...options,
    port: name === 'webhook' ? options.port : 0,
    transport: name,
  });
  try {
    return await openLiveSession(ctx, {
      api: () => Promise.resolve(api),
      request: { eventFilters: [...eventFilters] },
      transport,
      receiver,
      isHidden: true,
      sink: () => ({
        accept: (received) => Promise.resolve(onNotification(received)),
        reject: () => undefined,
      }),
      onGap: onMissed,
      onFailure: (error) => {
        ctx.out.warn(`no more live events can arrive (${messageOf(error)}); polling instead`);
        onEnd();
      },
    });
  } catch (error) {
    ctx.signal.throwIfAborted();
    ctx.out.note(`Live events are not available (${messageOf(error)}); polling instead.`);
    return undefined;
  }
}

/** Returns the transport of a view; undefined if the service cannot deliver to it. */
function viewTransport(ctx: Context, hasPublicUrl: boolean): 'webhook' | 'websocket' | undefined {
  if (hasPublicUrl) return 'webhook';
  if (liveTransportOf(ctx) === 'websocket') return 'websocket';
  const base = ctx.settings.baseUrl.value;
  const isLocal = base !== undefined && URL.canParse(base) && isLoopback(new URL(base).hostname);
  return isLocal ? 'webhook' : undefined;
}
