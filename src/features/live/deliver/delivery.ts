import { setTimeout as delay } from 'node:timers/promises';
import { counted, isOrAre } from '../../../platform/counted.ts';
import type { Context } from '../../../runtime/context.ts';
import { messageOf } from '../../../errors/command.ts';
import type { EventStore } from '../store/event-store.ts';
import { dispatchCursor, Dispatcher, type DispatcherSettings } from './dispatcher.ts';
import type { Target } from './target.ts';

export interface DeliverySettings extends Pick<
  DispatcherSettings,
  'inbox' | 'receiver' | 'targets' | 'wanted' | 'keys'
> {
  /** Called with what ends the delivery before its time. */
  readonly onFailure: (error: unknown) => void;
  /** Time for deliveries in progress at the end. */
  readonly drainMilliseconds: number;
}

/** Events being delivered to targets. */
export interface Delivering {
  /** Delivers what has been accepted so far, with the waits between attempts if `retries`, and reports what is left for the next run. */
  end(retries: boolean): Promise<void>;
}

/**
 * Places the cursor of the delivery before anything arrives. It starts at the first run with targets. A run without targets resets it, unless
 * earlier events are still undelivered.
 */
export function placeDispatchCursor(inbox: EventStore, receiver: string, targets: readonly Target[]): void {
  const name = dispatchCursor(receiver);
  const cursor = inbox.cursor(name);
  if (targets.length > 0) {
    if (!cursor.isKnown) inbox.moveToEnd(name);
  } else if (cursor.isKnown && inbox.after(receiver, cursor.position).length === 0) cursor.forget();
}

/** Delivers the receiver's events to the targets from now on, if there are any targets. */
export function startDelivery(ctx: Context, settings: DeliverySettings): Delivering {
  if (settings.targets.length === 0) return { end: () => Promise.resolve() };
  const stop = new AbortController();
  const dispatcher = new Dispatcher({
    ...settings,
    now: () => ctx.now(),
    sleep: (milliseconds, stopped) => delay(milliseconds, undefined, { signal: stopped }),
    onDead: ({ target, problem, eventId }) =>
      ctx.out.warn(`event ${eventId} was not taken by ${target} (${problem}); see: ucctl events dlq`),
    onProblem: ({ target, problem, eventId }) =>
      ctx.out.warn(`event ${eventId} was not taken by ${target} (${problem}); it is tried again`),
    onUnwritten: (error) =>
      ctx.out.warn(`what is handed on cannot be noted and waits until it can: ${messageOf(error)}`),
    onRecovered: ({ target, eventId }) => ctx.out.note(`${target} takes events again, from ${eventId} on`),
  });
  const running = dispatcher.run(stop.signal).catch((error: unknown) => settings.onFailure(error));
  return {
    async end(retries) {
      stop.abort();
      await running;
      const left = await dispatcher.close(settings.drainMilliseconds, retries);
      if (left === 0) return;
      ctx.out.warn(
        `${counted(left, 'event')} ${isOrAre(left)} not handed on yet; the next run with the same targets goes on from there`,
      );
    },
  };
}
