import { setTimeout as delay } from 'node:timers/promises';
import { counted, isOrAre } from '../../../platform/counted.ts';
import type { Context } from '../../../runtime/context.ts';
import { messageOf } from '../../../errors/command.ts';
import type { Inbox } from '../store/inbox.ts';
import { dispatchCursor, Dispatcher, type DispatcherSettings } from './dispatcher.ts';
import { longWaitText } from './long-waits.ts';
import type { Target } from './target.ts';
import { nextStep, ucctl } from '../../../errors/hint.ts';
import { maskUserInfoIn } from '../../../platform/user-info.ts';

export interface DeliverySettings extends Pick<
  DispatcherSettings,
  'inbox' | 'receiver' | 'targets' | 'wanted' | 'keys' | 'detailsOf'
> {
  /** Called with the error that stops the delivery early. */
  readonly onFailure: (error: unknown) => void;
  /** Maximum time in milliseconds for deliveries in progress when the run ends. */
  readonly drainMilliseconds: number;
}

/** The running delivery of events to targets. */
export interface RunningDelivery {
  /**
   * Delivers the events accepted so far, and reports the number of events left for the next run. Failed deliveries are
   * retried only if `retries` is true.
   */
  end(retries: boolean): Promise<void>;
}

/**
 * Sets the cursor of the delivery before any event can arrive. The cursor starts at the first run with targets. A run
 * without targets resets the cursor, unless earlier events are still undelivered.
 */
export function placeDispatchCursor(inbox: Inbox, receiver: string, targets: readonly Target[]): void {
  const name = dispatchCursor(receiver);
  const cursor = inbox.cursor(name);
  if (targets.length > 0) {
    if (!cursor.isKnown) inbox.moveToEnd(name);
  } else if (cursor.isKnown && inbox.after(receiver, cursor.position).length === 0) cursor.forget();
}

/** Delivers the receiver's new events to the targets, if there are any targets. */
export function startDelivery(ctx: Context, settings: DeliverySettings): RunningDelivery {
  if (settings.targets.length === 0) return { end: () => Promise.resolve() };
  const stop = new AbortController();
  const dispatcher = new Dispatcher({
    ...settings,
    now: () => ctx.now(),
    sleep: (milliseconds, stopped) => delay(milliseconds, undefined, { signal: stopped }),
    onDead: ({ target, problem, eventId }) =>
      ctx.out.warn(
        nextStep`could not deliver event ${eventId} to ${maskUserInfoIn(target)} (${String(problem)}); to list undelivered events: ${ucctl('events dlq')}`,
      ),
    onProblem: ({ target, problem, eventId }) =>
      ctx.out.warn(`could not deliver event ${eventId} to ${maskUserInfoIn(target)} (${problem}); retrying`),
    onWait: (wait) => ctx.out.note(longWaitText(wait)),
    onStoreFailure: (error) =>
      ctx.out.warn(`ucctl could not store the delivery state and paused all deliveries: ${messageOf(error)}`),
    onRecovered: ({ target, eventId }) =>
      ctx.out.note(`${maskUserInfoIn(target)} accepts events again, starting with event ${eventId}.`),
  });
  const running = dispatcher.run(stop.signal).catch((error: unknown) => settings.onFailure(error));
  return {
    async end(retries) {
      stop.abort();
      await running;
      const left = await dispatcher.close(settings.drainMilliseconds, retries);
      if (left === 0) return;
      ctx.out.warn(
        `${counted(left, 'event')} ${isOrAre(left)} not yet delivered; the next run with the same targets delivers ${left === 1 ? 'it' : 'them'}`,
      );
    },
  };
}
