import { channelSubscriptionSeconds, webhookSubscriptionSeconds } from '../../contract/limits.ts';
import { extensionIds, extensionNames } from '../../features/directory/index.ts';
import { checkEvents, toFilters } from '../../features/live/notification/index.ts';
import {
  compileWhere,
  runLive,
  targetsOf,
  transportOf,
  type TransportOptions,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { LiveOptions } from '../../runtime/live-options.ts';
import { keepKeys } from './subscription-keys.ts';

export interface SubscribeTailOptions extends LiveOptions, TransportOptions {
  readonly port: number;
  readonly events: readonly string[];
  readonly keep?: boolean;
  readonly recover?: boolean;
}

/** `subscribe tail`: subscribes, shows what happens until Ctrl-C, and leaves nothing behind. */
export async function tailEvents(ctx: Context, options: SubscribeTailOptions): Promise<void> {
  const events = options.events.length > 0 ? options.events : ['messages', 'presence'];
  const isChannel = options.transport === 'channel';
  const { default: lifetimeSeconds } = isChannel ? channelSubscriptionSeconds : webhookSubscriptionSeconds;
  checkEvents(events, lifetimeSeconds);
  const transport = await transportOf(ctx, options);
  const where = options.where === undefined ? undefined : await compileWhere(options.where);
  const targets = await targetsOf(ctx, options.forwardTo, options.exec);
  const api = await ctx.api();
  const extensions = await extensionIds(api, options.extension, ctx.signal);
  await runLive(ctx, {
    api: () => Promise.resolve(api),
    request: { eventFilters: [...toFilters(events, { extensions, lifetimeSeconds }).filters] },
    encryption: options.encrypt ?? false,
    transport,
    receiver: 'tail',
    keep: options.keep ?? false,
    // Who looks at what happens wants to see it from now on.
    recover: options.recover ?? false,
    targets,
    where,
    count: options.count,
    onSubscribed: async (subscription) => {
      if (options.keep) await keepKeys(ctx, subscription);
    },
    names: async () => (ctx.out.isTerminal ? extensionNames(api, ctx.signal) : new Map()),
    inspect: options.inspect ?? false,
    readyFile: options.readyFile,
  });
}
