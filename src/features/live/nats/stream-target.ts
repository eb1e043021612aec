import { messageOf } from '../../../errors/command.ts';
import type { Context } from '../../../runtime/context.ts';
import { DeliveryError, type Target } from '../deliver/target.ts';
import { laneOf } from '../log/lane.ts';
import { EventTooLargeError, type EventStream } from './event-stream-port.ts';

const retryMilliseconds = 1000;

/**
 * Returns a target that stores each event in a stream. While the server is not usable, events wait, so that
 * an outage does not create dead letters. An event that is too large for the server becomes one.
 */
export function streamTarget(ctx: Context, stream: EventStream): Target {
  let isFailing = false;
  return {
    name: `nats:${stream.name}`,
    accepts: () => true,
    async send(event, text, signal, facts) {
      const head = {
        ...(event.recovered && { 'ucctl-recovered': 'true' }),
        ...(facts && { 'ucctl-consumer': facts.consumer }),
      };
      for (;;) {
        try {
          await stream.publish({ key: event.key, lane: laneOf(event), text, facts: head });
          if (isFailing) ctx.out.note('NATS is available again.');
          isFailing = false;
          return;
        } catch (error) {
          if (signal.aborted) throw error;
          if (error instanceof EventTooLargeError)
            throw new DeliveryError(messageOf(error), { isPermanent: true });
          if (!isFailing) ctx.out.warn(`${messageOf(error)}; retrying`);
          isFailing = true;
          await ctx.sleep(retryMilliseconds, signal).catch(() => {
            // An interruption is not a failed attempt.
            throw new DeliveryError(messageOf(error), { isTerminated: true });
          });
        }
      }
    },
  };
}
