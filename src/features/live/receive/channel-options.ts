import type { Context } from '../../../runtime/context.ts';
import { usageError } from '../../../errors/command.ts';
import { isLoopback } from '../../../platform/base-url.ts';
import { maskUserInfo } from '../../../platform/user-info.ts';

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
 * Server of the hosted channel: `--channel-url`, or the address of the service. The address contains the key of the
 * channel, so plain http is allowed only for this machine.
 * @throws {CommandError} `usage` for an invalid URL.
 */
export function channelOrigin(ctx: Context, url: string | undefined): URL {
  const text = url ?? ctx.settings.baseUrl.value ?? '';
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address?.protocol === 'https:') return address;
  if (address?.protocol === 'http:' && isLoopback(address.hostname)) return address;
  throw usageError(
    `--channel-url: "${maskUserInfo(text)}" is not a valid https:// URL`,
    'use an address such as https://channel.example.com; http:// is accepted only for this machine',
  );
}
