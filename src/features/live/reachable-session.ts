import type { Client } from '../../client/index.ts';
import { isLoopback } from '../../platform/base-url.ts';
import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import type { WatchOptions } from '../../runtime/watch-options.ts';
import type { Received } from './notification/notification.ts';
import { parsePublicUrl } from './receive/address.ts';
import { transportOf } from './receive/transport-options.ts';
import { openLiveSession, type LiveSession } from './session.ts';

/** Live events for a view that can also poll. */
export interface ViewSessionPlan {
  readonly api: Client;
  readonly eventFilters: readonly string[];
  readonly receiver: string;
  readonly options: WatchOptions;
  /** Called with each notification. Nothing is stored. */
  readonly onNotification: (received: Received) => void;
}

/**
 * A live session, if the service can reach this machine: it runs on this machine, or --public-url gives an address. Undefined otherwise,
 * with a note if opening it failed: the view then polls. The view reads the present state from time to time, so that no gap has to be filled.
 */
export async function openSessionIfReachable(
  ctx: Context,
  { api, eventFilters, receiver, options, onNotification }: ViewSessionPlan,
): Promise<LiveSession | undefined> {
  // An address that cannot be used is a usage error, not a reason to poll.
  const publicUrl = options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl, false);
  const base = ctx.settings.baseUrl.value;
  const isLocal = base !== undefined && URL.canParse(base) && isLoopback(new URL(base).hostname);
  if (options.poll || eventFilters.length === 0 || (!publicUrl && !isLocal)) return undefined;
  const transport = await transportOf(ctx, { ...options, transport: 'webhook' });
  try {
    return await openLiveSession(ctx, {
      api: () => Promise.resolve(api),
      request: { eventFilters: [...eventFilters] },
      transport,
      receiver,
      sink: () => ({
        accept: (received) => Promise.resolve(onNotification(received)),
        reject: () => undefined,
      }),
      onGap: () => undefined,
      onFailure: () => undefined,
    });
  } catch (error) {
    ctx.signal.throwIfAborted();
    ctx.out.note(`no live events (${messageOf(error)}); polling`);
    return undefined;
  }
}
