import type { Context } from '../../../runtime/context.ts';
import { usageError } from '../../../errors/command.ts';
import { localUrl, parsePublicUrl, publicAddress } from './address.ts';
import { channelOrigin, channelTransportType } from './channel-options.ts';
import { secretPath } from '../subscription/secret-path.ts';
import type { Transport } from '../subscription/transport.ts';
import { ChannelReceiver } from './channel-receiver.ts';
import { WebhookReceiver } from './webhook-receiver.ts';
import { verificationTokenOf } from './verification-token.ts';

/** How notifications are to get here, as a command line says it. */
export interface TransportOptions {
  readonly transport: 'channel' | 'webhook';
  readonly channelUrl?: string | undefined;
  readonly port: number;
  readonly publicUrl?: string | undefined;
}

/** The hosted channel, or a listener on this machine. @throws {CommandError} `usage`. */
export async function transportOf(ctx: Context, options: TransportOptions): Promise<Transport> {
  checkOthers(options);
  return options.transport === 'channel' ? await channel(ctx, options) : webhook(ctx, options);
}

/** What belongs to the other way would be left unused, and the person who gave it wait for nothing. */
function checkOthers({ transport, channelUrl, port, publicUrl }: TransportOptions): void {
  const [other, given] =
    transport === 'channel'
      ? (['webhook', { '--public-url': publicUrl, '--port': port === 0 ? undefined : port }] as const)
      : (['channel', { '--channel-url': channelUrl }] as const);
  for (const [flag, value] of Object.entries(given))
    if (value !== undefined) throw usageError(`${flag} goes with --transport ${other} only`);
}

async function channel(ctx: Context, { channelUrl }: TransportOptions): Promise<ChannelReceiver> {
  const transportType = channelTransportType(ctx);
  return new ChannelReceiver({
    transportType,
    origin: channelOrigin(ctx, channelUrl),
    http: await ctx.http(),
    signal: ctx.signal,
    sleep: (milliseconds) => ctx.sleep(milliseconds),
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
    urlOf: (used) => localUrl('http', host, used, path),
    publicAddress:
      publicUrl === undefined ? undefined : publicAddress(parsePublicUrl(publicUrl, false), path),
  });
}
