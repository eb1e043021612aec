import { usageError } from '../../../errors/command.ts';
import { readNatsUrl, type NatsAddress } from '../../../platform/nats-address.ts';
import type { Context } from '../../../runtime/context.ts';
import type { EventStream } from './event-stream-port.ts';
import { leastRetention } from './retention.ts';

const defaultRetention = 30 * 86_400;

/**
 * Opens the stream of an option. The client of NATS is loaded only here.
 * @param retainSeconds time for which a new stream retains events; default 30 days.
 * @throws {CommandError} `usage` (exit 2), `stream_differs` (exit 11), `nats_not_usable` (exit 12).
 */
export async function openEventStream(
  ctx: Context,
  flag: string,
  text: string,
  retainSeconds = defaultRetention,
): Promise<EventStream> {
  const address = addressOf(flag, text);
  if (retainSeconds < leastRetention)
    throw usageError(
      '--retain is too short for a stream, because the service retries notifications for a day',
      'use a retention time of at least 2d',
    );
  if (address.password !== undefined) {
    ctx.out.warn(
      `other users of this machine can read the password in ${flag}; use NATS_PASSWORD or NATS_CREDS`,
    );
  }
  const { connectStream } = await import('./event-stream.ts');
  return connectStream(ctx, address, retainSeconds);
}

function addressOf(flag: string, text: string): NatsAddress {
  try {
    return readNatsUrl(text);
  } catch (error) {
    throw usageError(`${flag}: ${error instanceof Error ? error.message : ''}`);
  }
}
