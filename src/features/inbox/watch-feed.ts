import type { Client } from '../../client/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../runtime/errors.ts';
import type { WatchOptions } from '../../runtime/watch-options.ts';
import { openFeed, type Feed } from './feed.ts';

const loopback = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/;

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
  const publicUrl = options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl);
  const base = ctx.settings.baseUrl.value;
  const isLocal = base !== undefined && URL.canParse(base) && loopback.test(new URL(base).hostname);
  if (options.poll || eventFilters.length === 0 || (!publicUrl && !isLocal)) return undefined;
  try {
    const feed = await openFeed({
      api,
      eventFilters,
      publicUrl,
      port: options.port,
      verificationToken: ctx.env['UCCTL_VERIFICATION_TOKEN'],
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

function parsePublicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && !url.search && !url.hash && !url.username) {
    if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname))) return url;
  }
  throw usageError(
    `--public-url: "${text}" is not an https:// address`,
    'give the address under which the service reaches this machine',
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
