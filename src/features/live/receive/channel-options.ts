import type { Context } from '../../../runtime/context.ts';
import { usageError } from '../../../errors/command.ts';

/** Whether ucctl supports the protocol of a hosted channel with this name. */
export function isKnownChannel(name: string): name is 'ChannelService' | 'PubNub' {
  return name === 'ChannelService' || name === 'PubNub';
}

/**
 * Returns the transport type of the hosted channel, which depends on the dialect of the profile.
 * @param others the other transports of the command, for the error.
 * @throws {CommandError} for a channel with an unsupported protocol.
 */
export function channelTransportType(
  ctx: Context,
  others: readonly string[] = ['websocket', 'webhook'],
): 'ChannelService' | 'PubNub' {
  const name = ctx.settings.channelTransport.value;
  if (isKnownChannel(name)) return name;
  throw usageError(
    `ucctl does not support the hosted channel of this service (${name})`,
    `use ${others.map((name) => `--transport ${name}`).join(' or ')}`,
  );
}

/**
 * Server of the hosted channel: `--channel-url`, or the address of the service.
 * @throws {CommandError} `usage` for an invalid URL.
 */
export function channelOrigin(ctx: Context, url: string | undefined): URL {
  const text = url ?? ctx.settings.baseUrl.value ?? '';
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw usageError(
    `--channel-url: "${text}" is not a valid http:// or https:// URL`,
    'use an address such as https://channel.example.com',
  );
}
