import type { Context } from '../../../runtime/context.ts';
import { usageError } from '../../../errors/command.ts';

/**
 * The service's word for its hosted channel, by the profile's dialect.
 * @throws {CommandError} for one whose protocol this tool does not speak.
 */
export function channelTransportType(ctx: Context): 'ChannelService' | 'PubNub' {
  const name = ctx.settings.channelTransport.value;
  if (name === 'ChannelService' || name === 'PubNub') return name;
  throw usageError(`the channel "${name}" of this deployment is not spoken here`, 'use --transport webhook');
}

/** Where the hosted channel is served: `--channel-url`, else the address of the service. @throws {CommandError} */
export function channelOrigin(ctx: Context, url: string | undefined): URL {
  const text = url ?? ctx.settings.baseUrl.value ?? '';
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw usageError(`--channel-url: "${text}" is not an address`);
}
