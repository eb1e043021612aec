import type { Client } from '../../client/index.ts';
import { isLoopback } from '../../platform/base-url.ts';
import type { Context } from '../../runtime/context.ts';
import type { WatchOptions } from '../../runtime/watch-options.ts';
import { messageOf } from '../../runtime/errors.ts';
import { parsePublicUrl } from './address.ts';
import { openFeed, type Feed } from './feed.ts';
import { verificationTokenOf } from './verification-token.ts';

/**
 * Live events for a view, where they are possible: the service runs on this machine, or there is an address under which it reaches it.
 * Undefined, with a note, where they are not: the view then reads in turn.
 */
export async function openWatchFeed(
  ctx: Context,
  api: Client,
  eventFilters: readonly string[],
  options: WatchOptions,
): Promise<Pick<Feed, 'notifications' | 'watch' | 'close'> | undefined> {
  const publicUrl = options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl, false);
  const base = ctx.settings.baseUrl.value;
  const isLocal = base !== undefined && URL.canParse(base) && isLoopback(new URL(base).hostname);
  if (options.poll || eventFilters.length === 0 || (!publicUrl && !isLocal)) return undefined;
  try {
    const feed = await openFeed({
      api,
      eventFilters,
      publicUrl,
      port: options.port,
      verificationToken: verificationTokenOf(ctx),
      now: () => ctx.now(),
      sleep: async (milliseconds, signal) => {
        const { setTimeout: delay } = await import('node:timers/promises');
        await delay(milliseconds, undefined, { signal, ref: false });
      },
      signal: ctx.signal,
      onFailure: (error) => ctx.out.warn(`the subscription could not be renewed: ${messageOf(error)}`),
    });
    return { ...feed, close: () => closeFeed(ctx, feed) };
  } catch (error) {
    ctx.signal.throwIfAborted();
    ctx.out.note(`no live events (${messageOf(error)}); reading in turn`);
    return undefined;
  }
}

/** A subscription that could not be deleted is worth a word, not a failure: it ends by itself. */
async function closeFeed(ctx: Context, feed: Feed): Promise<void> {
  const { id } = feed.subscription;
  try {
    await feed.close();
  } catch (error) {
    ctx.out.warn(
      `subscription ${id} could not be deleted (${messageOf(error)}); try: ucctl subscribe delete ${id}`,
    );
  }
}
