import { CHANNEL_SUBSCRIPTION_SECONDS, WEBHOOK_SUBSCRIPTION_SECONDS } from '../../contract/limits.ts';
import { extensionIds, extensionNames } from '../../features/directory/index.ts';
import { checkEvents, notificationView, toFilters } from '../../features/inbox/events/index.ts';
import {
  channelOrigin,
  ChannelTransport,
  channelTransportType,
  compileWhere,
  localUrl,
  parsePublicUrl,
  publicAddress,
  runLive,
  secretPath,
  targetsOf,
  WebhookTransport,
} from '../../features/inbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { LiveOptions } from '../../runtime/live-options.ts';
import { keepKeys } from './subscription-keys.ts';

export interface SubscribeTailOptions extends LiveOptions {
  readonly events: readonly string[];
  readonly transport: 'webhook' | 'channel';
  readonly channelUrl?: string;
  readonly publicUrl?: string;
  readonly keep?: boolean;
  readonly recover?: boolean;
}

/** `subscribe tail`: subscribes, shows what happens until Ctrl-C, and leaves nothing behind. */
export async function tailEvents(ctx: Context, options: SubscribeTailOptions): Promise<void> {
  const events = options.events.length > 0 ? options.events : ['messages', 'presence'];
  const isChannel = options.transport === 'channel';
  const { default: lifetimeSeconds } = isChannel
    ? CHANNEL_SUBSCRIPTION_SECONDS
    : WEBHOOK_SUBSCRIPTION_SECONDS;
  checkEvents(events, lifetimeSeconds);
  const transport = isChannel ? await channel(ctx, options) : webhook(ctx, options);
  const where = options.where === undefined ? undefined : await compileWhere(options.where);
  const targets = await targetsOf(ctx, options.forwardTo, options.exec);
  const api = await ctx.api();
  const extensions = await extensionIds(api, options.extension, ctx.signal);
  await runLive(ctx, {
    api,
    wish: { eventFilters: [...toFilters(events, { extensions, lifetimeSeconds }).filters] },
    encryption: options.encrypt ?? false,
    verificationToken: ctx.env['UCCTL_VERIFICATION_TOKEN'],
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
    view: async () => {
      const names = ctx.out.isTerminal ? await extensionNames(api, ctx.signal) : new Map<string, string>();
      return notificationView((id) => names.get(id));
    },
    inspect: options.inspect ?? false,
    readyFile: options.readyFile,
  });
}

async function channel(ctx: Context, { channelUrl }: SubscribeTailOptions): Promise<ChannelTransport> {
  const transportType = channelTransportType(ctx);
  return new ChannelTransport({
    transportType,
    origin: channelOrigin(ctx, channelUrl),
    http: await ctx.http(),
    signal: ctx.signal,
    sleep: (milliseconds) => ctx.sleep(milliseconds),
    warn: (text) => ctx.out.warn(text),
  });
}

function webhook(ctx: Context, { port, publicUrl }: SubscribeTailOptions): WebhookTransport {
  const path = secretPath();
  const host = '127.0.0.1';
  return new WebhookTransport({
    host,
    port,
    path,
    verificationToken: ctx.env['UCCTL_VERIFICATION_TOKEN'],
    urlOf: (used) => localUrl('http', host, used, path),
    publicAddress:
      publicUrl === undefined ? undefined : publicAddress(parsePublicUrl(publicUrl, false), path),
  });
}
