import { watchedExtensions } from '../../features/directory/index.ts';
import { knownExtensions, readExtensions } from '../../features/known-values/index.ts';
import { checkEvents, toFilters } from '../../features/live/notification/index.ts';
import {
  offersAll,
  removeStaleReadyFile,
  runLive,
  subscriptionLifetimes,
  targetsOf,
  transportName,
  transportOf,
  whereOf,
  type TransportOptions,
} from '../../features/live/index.ts';
import { usageError } from '../../errors/command.ts';
import type { Context } from '../../runtime/context.ts';
import type { LiveOptions } from '../../runtime/live-options.ts';
import { storeKeys } from './subscription-keys.ts';

export interface SubscribeTailOptions extends LiveOptions, TransportOptions {
  readonly port: number;
  readonly events: readonly string[];
  readonly keep?: boolean;
  readonly recover?: boolean;
}

/** `subscribe tail`: subscribes, shows events until Ctrl-C, and deletes the subscription. */
export async function tailEvents(ctx: Context, options: SubscribeTailOptions): Promise<void> {
  await removeStaleReadyFile(ctx, options.readyFile);
  const events = options.events.length > 0 ? options.events : ['messages', 'presence'];
  const lifetimeSeconds = subscriptionLifetimes[transportName(ctx, options)];
  checkEvents(events, lifetimeSeconds, options);
  if (options.keep && transportName(ctx, options) === 'websocket')
    throw usageError(
      '--keep cannot be used with a WebSocket subscription: the subscription ends when the connection closes',
      'use --transport webhook for a persistent subscription',
    );
  const transport = await transportOf(ctx, options);
  const where = await whereOf(ctx, options.where);
  const targets = await targetsOf(ctx, options.forwardTo, options.exec);
  const api = await ctx.api();
  const extensions = await watchedExtensions(ctx, api, options);
  await runLive(ctx, {
    api: () => Promise.resolve(api),
    request: { eventFilters: [...toFilters(events, { extensions, lifetimeSeconds }).filters] },
    encryption: options.encrypt ?? false,
    transport,
    receiver: 'tail',
    keepSubscription: options.keep ?? false,
    // Off by default, because people run this command to watch new events.
    recover: options.recover ?? false,
    targets,
    where,
    count: options.count,
    onSubscribed: async (subscription) => {
      if (options.keep) await storeKeys(ctx, subscription);
    },
    extensions: async () =>
      ctx.out.isTerminal || options.exec !== undefined
        ? readExtensions(ctx, () => api.extensions.list({}, { signal: ctx.signal }))
        : knownExtensions(ctx),
    lookup: options.lookup ?? (ctx.out.isTerminal && ctx.out.format === 'table'),
    offersAll: offersAll(ctx, options),
    inspect: options.inspect ?? false,
    readyFile: options.readyFile,
  });
}
