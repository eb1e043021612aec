import { dialects } from '../../../contract/dialects.ts';
import {
  channelSubscriptionSeconds,
  webhookSubscriptionSeconds,
  webSocket,
} from '../../../contract/limits.ts';
import type { Context } from '../../../runtime/context.ts';
import { usageError } from '../../../errors/command.ts';
import { localUrl, parsePublicUrl, publicAddress } from './address.ts';
import { channelOrigin, channelTransportType, isKnownChannel } from './channel-options.ts';
import { secretPath } from '../subscription/secret-path.ts';
import type { EventTransport } from '../subscription/transport.ts';
import { ChannelReceiver } from './channel-receiver.ts';
import type { WebSocketReceiverOptions } from './web-socket/options.ts';
import type { WebSocketReceiver } from './web-socket/receiver.ts';
import { WebhookReceiver } from './webhook-receiver.ts';
import { verificationTokenOf } from './verification-token.ts';

/** Transports by the names of `--transport`. */
export type TransportName = 'channel' | 'webhook' | 'websocket';

/** Seconds after which a subscription of each transport expires, unless it is renewed. */
export const subscriptionLifetimes: Readonly<Record<TransportName, number>> = {
  channel: channelSubscriptionSeconds.default,
  webhook: webhookSubscriptionSeconds.default,
  websocket: webSocket.absoluteSeconds,
};

/** Options that choose the transport of notifications. */
export interface TransportOptions {
  /** Default: the transport of the dialect that needs no public address. */
  readonly transport?: TransportName | undefined;
  readonly channelUrl?: string | undefined;
  readonly port: number;
  readonly publicUrl?: string | undefined;
}

/**
 * Returns the transport that needs no public address. A channel whose name is configured has precedence over the
 * dialect.
 */
export function liveTransportOf(ctx: Context): 'channel' | 'websocket' {
  const { dialect, channelTransport } = ctx.settings;
  return channelTransport.origin === 'default' || !isKnownChannel(channelTransport.value)
    ? dialects[dialect.value].liveTransport
    : 'channel';
}

/** Returns the transport of `--transport`, or the default of the service. */
export function transportName(
  ctx: Context,
  { transport }: Pick<TransportOptions, 'transport'>,
): TransportName {
  return transport ?? liveTransportOf(ctx);
}

/**
 * Creates the transport: a WebSocket, the hosted channel, or a listener on this machine.
 * @throws {CommandError} `usage` for invalid options.
 */
export async function transportOf(ctx: Context, options: TransportOptions): Promise<EventTransport> {
  const name = transportName(ctx, options);
  checkUnusedOptions(name, options);
  if (name === 'channel') return channel(ctx, options);
  return name === 'websocket' ? webSocketReceiver(ctx) : webhook(ctx, options);
}

/** Rejects options of other transports, which would have no effect. */
function checkUnusedOptions(name: TransportName, { channelUrl, port, publicUrl }: TransportOptions): void {
  const owners = {
    '--public-url': ['webhook', publicUrl],
    '--port': ['webhook', port === 0 ? undefined : port],
    '--channel-url': ['channel', channelUrl],
  } as const;
  for (const [flag, [owner, value]] of Object.entries(owners))
    if (value !== undefined && owner !== name)
      throw usageError(
        `${flag} can be used only with --transport ${owner}`,
        `omit ${flag}, or use --transport ${owner}`,
      );
}

/** Creates a receiver through a WebSocket. @param session which session the receiver continues, and when it gives up. */
export async function webSocketReceiver(
  ctx: Context,
  session: Pick<WebSocketReceiverOptions, 'continues' | 'handoverMilliseconds'> = {},
): Promise<WebSocketReceiver> {
  const { WebSocketReceiver } = await import('./web-socket/receiver.ts');
  return new WebSocketReceiver({
    route: await ctx.route(),
    timeoutMilliseconds: ctx.settings.timeoutSeconds.value * 1000,
    sleep: (milliseconds, signal) => ctx.sleep(milliseconds, signal),
    protect: (url) => ctx.sentSecrets.add({ url, headers: {} }),
    warn: (text) => ctx.out.warn(text),
    note: (text) => ctx.out.note(text),
    ...session,
  });
}

async function channel(ctx: Context, { channelUrl }: TransportOptions): Promise<ChannelReceiver> {
  const transportType = channelTransportType(ctx);
  return new ChannelReceiver({
    transportType,
    origin: channelOrigin(ctx, channelUrl),
    http: await ctx.http(),
    signal: ctx.signal,
    sleep: (milliseconds, stopped) => ctx.sleep(milliseconds, stopped),
    now: () => ctx.now(),
    warn: (text) => ctx.out.warn(text),
  });
}

function webhook(ctx: Context, { port, publicUrl }: TransportOptions): WebhookReceiver {
  const path = secretPath();
  const host = '127.0.0.1';
  return new WebhookReceiver({
    host,
    port,
    path,
    verificationToken: verificationTokenOf(ctx),
    warn: (problem) => ctx.out.warn(problem),
    urlOf: (used) => localUrl('http', host, used, path),
    publicAddress:
      publicUrl === undefined ? undefined : publicAddress(parsePublicUrl(publicUrl, false), path),
  });
}
