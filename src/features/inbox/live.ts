import { setTimeout as delay } from 'node:timers/promises';
import type { Subscription } from '../../contract/subscription.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import { announceReady, removeReadyFile } from './announce.ts';
import { dispatchCursor, Dispatcher, type HandingOn } from './dispatcher.ts';
import { notificationView } from './events/notification-view.ts';
import { Gaps } from './gaps.ts';
import { HeldSubscription } from './held.ts';
import type { Inbox } from './inbox.ts';
import { KeyFinder } from './key-finder.ts';
import type { LivePlan, LiveReady } from './live-plan.ts';
import type { Received } from './notification.ts';
import { abandonedReceivers, holdReceiver, type HeldReceiver } from './receiver-lock.ts';
import { keysWith } from './seal.ts';
import { openInbox } from './open-inbox.ts';
import { shownEvent, type ShownEvent } from './shown-event.ts';
import type { StoredEvent } from './stored-event.ts';
import { SubscriptionLife } from './subscription-life.ts';

/** Time for answers under way when the run ends. */
const drain = 5000;

/**
 * Receives, keeps, shows and hands on until Ctrl-C, the count, or the reader of the output is gone. The subscription is made first and
 * deleted last, and what was accepted in between is in the inbox.
 */
export async function runLive(ctx: Context, plan: LivePlan): Promise<void> {
  const inbox = openInbox(ctx, true);
  let held: HeldReceiver | undefined;
  try {
    held = holdReceiver(inbox, plan.receiver);
    // One of a run that was killed.
    await removeReadyFile(ctx, plan.readyFile);
    inbox.trim();
    await new LiveRun(ctx, plan, inbox, held.name).run();
  } finally {
    held?.release();
    inbox.close();
    await removeReadyFile(ctx, plan.readyFile);
  }
}

class LiveRun {
  readonly #ctx: Context;
  readonly #plan: LivePlan;
  readonly #inbox: Inbox;
  readonly #receiver: string;
  readonly #end = new AbortController();
  readonly #finder: KeyFinder;
  #copyKeys: readonly string[] = [];
  /** Whether the last event could not be kept. */
  #isFull = false;
  #failure: unknown;
  #gaps: Gaps | undefined;
  #ready: LiveReady | undefined;

  constructor(ctx: Context, plan: LivePlan, inbox: Inbox, receiver: string) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#inbox = inbox;
    this.#receiver = receiver;
    this.#finder = new KeyFinder({
      api: plan.api,
      address: () => plan.transport.deliveryMode(false, undefined).address,
      now: () => ctx.now(),
      signal: this.#end.signal,
      warn: (text) => ctx.out.warn(text),
    });
  }

  get #keys(): readonly string[] {
    return this.#plan.wish ? this.#copyKeys : this.#finder.keys;
  }

  async #accept(received: Received): Promise<unknown> {
    const { wish, transport } = this.#plan;
    const opened = wish || received.notification ? received : await this.#finder.open(received);
    try {
      const result = await this.#inbox.accept(opened, this.#receiver, transport.origin);
      if (this.#isFull) this.#ctx.out.note('events are kept again');
      this.#isFull = false;
      return result;
    } catch (error) {
      if (!this.#isFull)
        this.#ctx.out.warn(
          `events cannot be kept, and are not acknowledged until they can: ${messageOf(error)}`,
        );
      this.#isFull = true;
      throw error;
    }
  }

  /** Ends the run in order, and then with this. */
  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#end.abort();
  }

  async run(): Promise<void> {
    const { transport } = this.#plan;
    const end = (): void => this.#end.abort();
    this.#ctx.signal.addEventListener('abort', end);
    if (this.#ctx.signal.aborted) end();
    const intake = {
      accept: (received: Received) => this.#accept(received),
      reject: (reason: string, raw: Uint8Array) => this.#inbox.reject(reason, raw),
      keys: () => this.#keys,
    };
    this.#beginHandingOn();
    try {
      await transport.open(intake, (error) => this.#fail(error));
      await this.#subscribed();
      if (this.#failure !== undefined) throw this.#failure as Error;
    } finally {
      this.#ctx.signal.removeEventListener('abort', end);
      this.#end.abort();
      await transport.close(drain);
    }
  }

  /**
   * Targets get what comes from their first run on, and what runs with targets left. A run that has none keeps its events from those of a
   * later one, however it ends, unless it finds some that were left: those are still owed, and what came after them goes with them.
   */
  #beginHandingOn(): void {
    const inbox = this.#inbox;
    const name = dispatchCursor(this.#receiver);
    const cursor = inbox.cursor(name);
    if (this.#plan.targets.length > 0) {
      if (!cursor.isKnown) inbox.moveToEnd(name);
    } else if (cursor.isKnown && inbox.after(this.#receiver, cursor.position).length === 0) cursor.forget();
  }

  async #subscribed(): Promise<void> {
    const { plan, ctx } = { plan: this.#plan, ctx: this.#ctx };
    if (!plan.wish) return this.#show(undefined);
    const api = await plan.api();
    const life = new SubscriptionLife({
      ctx,
      api,
      held: new HeldSubscription(this.#inbox, this.#receiver),
      abandoned: () => abandonedReceivers(this.#inbox, plan.receiver),
      wish: {
        ...plan.wish,
        deliveryMode: plan.transport.deliveryMode(plan.encryption, plan.verificationToken),
      },
      onCopy: (copy) => this.#take(copy),
      onGap: (gap) => this.#gaps?.fill(gap),
    });
    const subscription = await life.begin();
    try {
      this.#gaps = new Gaps(ctx, subscription.eventFilters, {
        inbox: this.#inbox,
        receiver: this.#receiver,
        api,
        signal: this.#end.signal,
        now: () => ctx.now(),
      });
      await plan.onSubscribed?.(subscription);
      await plan.transport.begin(subscription, (reason) => {
        const at = ctx.now();
        this.#gaps?.fill({ from: at, to: at, reason });
      });
      await this.#gaps.catchUp(plan.recover);
      life.keep();
      await this.#show(subscription);
    } finally {
      await this.#gaps?.settled();
      await (plan.keep ? life.leave() : life.end());
    }
  }

  /** The service's copy, which may differ from the one before in any field. */
  async #take(copy: Subscription): Promise<void> {
    this.#copyKeys = keysWith(this.#copyKeys, copy);
    await this.#plan.transport.follow(copy);
    const ready = this.#ready;
    if (!ready || ready.subscription?.id === copy.id) return;
    const { address } = copy.deliveryMode;
    await this.#announce({ ...ready, address, subscription: copy }).catch((error: unknown) =>
      this.#ctx.out.warn(`the ready file could not be written: ${messageOf(error)}`),
    );
  }

  /** Says that events arrive, and for which subscription; again when it was made anew. */
  async #announce(ready: LiveReady): Promise<void> {
    // A channel that never answered is given up at the end, too.
    if (this.#end.signal.aborted) return;
    this.#ready = ready;
    await announceReady(this.#ctx, ready, this.#plan.readyFile);
  }

  async #show(subscription: Subscription | undefined): Promise<void> {
    const inspector = this.#plan.inspect ? await this.#inspect() : undefined;
    try {
      await this.#stream(subscription, inspector?.url);
    } finally {
      await inspector?.close();
    }
  }

  async #inspect() {
    const { startInspector } = await import('./inspect/index.ts');
    return startInspector({
      inbox: this.#inbox,
      receiver: this.#receiver,
      keys: () => this.#keys,
      http: await this.#ctx.http(),
    });
  }

  async #stream(subscription: Subscription | undefined, inspectUrl: string | undefined): Promise<void> {
    const { transport, targets } = this.#plan;
    const names = await this.#plan.names();
    const address = subscription?.deliveryMode.address ?? transport.url ?? '';
    const { url } = transport;
    await this.#announce({ url, address, subscription, inspectUrl, names });
    const stop = new AbortController();
    const dispatcher = targets.length > 0 ? this.#dispatch(stop.signal) : undefined;
    const shown = { end: 'reader' as 'reader' | 'signal' | 'count', id: 0 };
    try {
      await this.#ctx.out.stream(this.#events(shown), {
        ...notificationView((id) => names.get(id), subscription?.eventFilters ?? []),
        // Nothing comes between the line and the note of it, or a kill there would show it twice.
        onTaken: () => this.#inbox.cursor(this.#cursor).move(shown.id),
      });
      // Its reader may be gone while it waits for the next event.
      if (shown.end === 'reader') this.#end.abort();
      // Who has seen enough does not want the rest at the next start; it is in the inbox.
      if (shown.end !== 'signal') this.#inbox.moveToEnd(this.#cursor);
    } finally {
      stop.abort();
      await dispatcher?.running;
      await this.#endHandingOn(dispatcher, shown.end === 'count');
    }
  }

  async #endHandingOn(dispatcher: HandingOn | undefined, isPatient: boolean): Promise<void> {
    const left = (await dispatcher?.close(drain, isPatient)) ?? 0;
    if (left > 0) {
      this.#ctx.out.warn(
        `${counted(left, 'event')} ${isOrAre(left)} not handed on yet; the next run with the same targets goes on from there`,
      );
    }
  }

  get #cursor(): string {
    return `${this.#receiver}:output`;
  }

  #dispatch(signal: AbortSignal): HandingOn {
    const dispatcher = new Dispatcher({
      inbox: this.#inbox,
      receiver: this.#receiver,
      targets: this.#plan.targets,
      wanted: (event, stored) => this.#isWanted(event, stored),
      keys: () => this.#keys,
      now: () => this.#ctx.now(),
      sleep: (milliseconds, stopped) => delay(milliseconds, undefined, { signal: stopped }),
      onDead: ({ target, problem, eventId }) =>
        this.#ctx.out.warn(`event ${eventId} was not taken by ${target} (${problem}); see: ucctl events dlq`),
      onTrouble: ({ target, problem, eventId }) =>
        this.#ctx.out.warn(`event ${eventId} was not taken by ${target} (${problem}); it is tried again`),
      onFailure: (error) => this.#fail(error),
      onUnwritten: (error) =>
        this.#ctx.out.warn(`what is handed on cannot be noted and waits until it can: ${messageOf(error)}`),
      onRelief: ({ target, eventId }) =>
        this.#ctx.out.note(`${target} takes events again, from ${eventId} on`),
    });
    return {
      running: dispatcher.run(signal).catch((error: unknown) => this.#fail(error)),
      close: (milliseconds: number, patient: boolean) => dispatcher.close(milliseconds, patient),
    };
  }

  async *#events(shown: { end: string; id: number }): AsyncGenerator<ShownEvent, void, undefined> {
    let left = this.#plan.count ?? Number.POSITIVE_INFINITY;
    for await (const stored of this.#inbox.read(this.#receiver, this.#cursor, this.#end.signal)) {
      const event = shownEvent(stored, this.#keys);
      if (!this.#isWanted(event, stored)) continue;
      shown.id = stored.id;
      yield event;
      left -= 1;
      if (left > 0) continue;
      shown.end = 'count';
      return;
    }
    shown.end = 'signal';
  }

  #isWanted(event: ShownEvent, stored: StoredEvent): boolean {
    const isFresh = stored.origin === 'webhook' || stored.origin === 'channel';
    if (isFresh && this.#gaps?.isLate(stored.raw)) return false;
    return this.#plan.where?.(event) ?? true;
  }
}
