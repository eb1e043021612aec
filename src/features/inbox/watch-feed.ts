import type { Client } from '../../client/index.ts';
import type { Notification } from '../../contract/subscription.ts';
import { isLoopback } from '../../platform/base-url.ts';
import type { Context } from '../../runtime/context.ts';
import type { WatchOptions } from '../../runtime/watch-options.ts';
import { messageOf } from '../../errors/command.ts';
import { parsePublicUrl } from './address.ts';
import { NotificationQueue } from './notification-queue.ts';
import { openLiveSession } from './session.ts';
import { transportOf } from './transport-options.ts';

/** Live events for a view that shows the present state and stores nothing. */
export interface WatchFeed {
  notifications(): AsyncGenerator<Notification, void, undefined>;
  /** Changes the event filters. @throws the service's error. */
  watch(eventFilters: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Live events for a view, if they are possible: the service runs on this machine, or --public-url gives an address under which it reaches
 * this machine. Undefined otherwise, with a note if it failed: the view then polls.
 */
export async function openWatchFeed(
  ctx: Context,
  api: Client,
  eventFilters: readonly string[],
  options: WatchOptions,
): Promise<WatchFeed | undefined> {
  // An address that cannot be used is a usage error, not a reason to poll.
  const publicUrl = options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl, false);
  const base = ctx.settings.baseUrl.value;
  const isLocal = base !== undefined && URL.canParse(base) && isLoopback(new URL(base).hostname);
  if (options.poll || eventFilters.length === 0 || (!publicUrl && !isLocal)) return undefined;
  const transport = await transportOf(ctx, { ...options, transport: 'webhook' });
  const queue = new NotificationQueue();
  const end = (): void => queue.close();
  try {
    const session = await openLiveSession(ctx, {
      api,
      eventFilters,
      transport,
      receiver: 'board',
      sink: (received) => queue.push(received),
      // The board reads every presence again from time to time, so nothing has to be recovered.
      onGap: () => undefined,
    });
    ctx.signal.addEventListener('abort', end);
    if (ctx.signal.aborted) end();
    return {
      notifications: () => queue.read(),
      watch: (wanted) => session.watch(wanted),
      async close() {
        ctx.signal.removeEventListener('abort', end);
        end();
        await session.close();
      },
    };
  } catch (error) {
    ctx.signal.throwIfAborted();
    ctx.out.note(`no live events (${messageOf(error)}); polling`);
    return undefined;
  }
}
