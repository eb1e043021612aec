import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../contract/subscription.ts';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import { messageOf } from '../../runtime/errors.ts';
import { dispatchCursor, Dispatcher } from './dispatcher.ts';
import { HeldSubscription } from './held.ts';
import { Inbox } from './inbox.ts';
import type { StoredEvent } from './stored-event.ts';
import { holdReceiver } from './receiver-lock.ts';
import { announceReady, removeReadyFile } from './live-options.ts';
import { Recovery } from './recovery.ts';
import { keysWith } from './seal.ts';
import { shownEvent, type ShownEvent } from './shown-event.ts';
import { SubscriptionLife } from './subscription-life.ts';
import type { Gap } from './subscription-keeper.ts';
import type { Target } from './target.ts';
import type { Received } from './notification.ts';
import type { Transport } from './transports.ts';
import type { Where } from './where.ts';

/** One run of a live command. */
export interface LivePlan {
  readonly api: Client;
  /** What to subscribe with, but for the address; undefined to receive for a subscription that something else makes. */
  readonly wish: Omit<SubscriptionRequest, 'deliveryMode'> | undefined;
  readonly encryption: boolean;
  readonly verificationToken: string | undefined;
  readonly transport: Transport;
  /** Name of the receiver; a second one that runs beside the first gets a number. */
  readonly receiver: string;
  /** Leaves the subscription behind at the end. */
  readonly keep: boolean;
  /** Whether what was missed since the run before is looked for. */
  readonly recover: boolean;
  readonly targets: readonly Target[];
  readonly where: Where | undefined;
  readonly count: number | undefined;
  readonly view: () => Promise<View<ShownEvent>>;
  /** Serves a page that shows what arrives. */
  readonly inspect: boolean;
  /** Is there while events arrive, and says where. */
  readonly readyFile: string | undefined;
  readonly onSubscribed?: (subscription: Subscription) => Promise<void>;
}

export interface LiveReady {
  /** Local address of the receiver; undefined for a channel. */
  readonly url: string | undefined;
  /** Where the service delivers. */
  readonly address: string;
  readonly subscription: Subscription | undefined;
  /** Page that shows what arrives, with its token. */
  readonly inspectUrl?: string | undefined;
}

/** Time for answers under way when the run ends. */
const drain = 5000;
/** Deliveries that waited while this machine slept come in before what is missing is looked for. */
const settleMilliseconds = 2000;

/**
 * Receives, keeps, shows and hands on until Ctrl-C, the count, or the reader of the output is gone. The subscription is made first and
 * deleted last, and what was accepted in between is in the inbox.
 */
export async function runLive(ctx: Context, plan: LivePlan): Promise<void> {
  const { profile } = ctx.settings;
  const now = (): number => ctx.now();
  const inbox = Inbox.open(ctx.paths.state, profile.value, now);
  const held = holdReceiver(ctx.paths.state, profile.value, plan.receiver);
  try {
    // One of a run that was killed.
    await removeReadyFile(ctx, plan.readyFile);
    inbox.trim();
    await new LiveRun(ctx, plan, inbox, held.name).run();
  } finally {
    held.release();
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
  readonly #background: Promise<void>[] = [];
  #keys: readonly string[] = [];
  #recovery: Recovery | undefined;
  #filling: Promise<void> = Promise.resolve();

  constructor(ctx: Context, plan: LivePlan, inbox: Inbox, receiver: string) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#inbox = inbox;
    this.#receiver = receiver;
  }

  async run(): Promise<void> {
    const { transport } = this.#plan;
    const end = (): void => this.#end.abort();
    this.#ctx.signal.addEventListener('abort', end);
    if (this.#ctx.signal.aborted) end();
    let failure: Error | undefined;
    const intake = {
      accept: (received: Received) => this.#inbox.accept(received, this.#receiver, transport.origin),
      reject: (reason: string, raw: Uint8Array) => this.#inbox.reject(reason, raw),
      keys: () => this.#keys,
    };
    const leavesOut = this.#beginHandingOn();
    try {
      await transport.open(intake, (error) => {
        failure = error;
        end();
      });
      await this.#subscribed();
      if (failure) throw failure;
    } finally {
      this.#ctx.signal.removeEventListener('abort', end);
      this.#end.abort();
      await this.#filling;
      await transport.close(drain);
      await Promise.all(this.#background);
      if (leavesOut) this.#inbox.moveToEnd(dispatchCursor(this.#receiver));
    }
  }

  /**
   * Targets get what comes from their first run on, and what runs with targets left. True when this run, that has none, leaves nothing for
   * a later one.
   */
  #beginHandingOn(): boolean {
    const inbox = this.#inbox;
    const cursor = dispatchCursor(this.#receiver);
    const { isKnown, position } = inbox.cursor(cursor);
    if (this.#plan.targets.length === 0) {
      return isKnown && inbox.after(this.#receiver, position).length === 0;
    }
    if (!isKnown) inbox.moveToEnd(cursor);
    return false;
  }

  async #subscribed(): Promise<void> {
    const { plan, ctx } = { plan: this.#plan, ctx: this.#ctx };
    if (!plan.wish) return this.#show(undefined);
    const life = new SubscriptionLife({
      ctx,
      api: plan.api,
      held: new HeldSubscription(this.#inbox, this.#receiver),
      wish: {
        ...plan.wish,
        deliveryMode: plan.transport.deliveryMode(plan.encryption, plan.verificationToken),
      },
      onCopy: (copy) => this.#take(copy),
      onGap: (gap) => this.#fill(gap),
    });
    const subscription = await life.begin();
    try {
      this.#recovery = new Recovery(subscription.eventFilters, {
        inbox: this.#inbox,
        receiver: this.#receiver,
        api: plan.api,
        signal: this.#end.signal,
        now: () => ctx.now(),
      });
      await plan.onSubscribed?.(subscription);
      await plan.transport.begin(subscription, (reason) => {
        const at = ctx.now();
        this.#fill({ from: at, to: at, reason });
      });
      await this.#catchUp();
      life.keep();
      await this.#show(subscription);
    } finally {
      await this.#filling;
      await (plan.keep ? life.leave() : life.end());
    }
  }

  /** The service's copy, which may differ from the one before in any field. */
  async #take(copy: Subscription): Promise<void> {
    this.#keys = keysWith(this.#keys, copy);
    await this.#plan.transport.follow(copy);
  }

  /** Fills what was missed since the run before, and notes where the mailboxes stand. */
  async #catchUp(): Promise<void> {
    const recovery = this.#recovery;
    if (!recovery) return;
    try {
      const isResumed = this.#plan.recover && recovery.hasPoints();
      if (isResumed) await this.#tell(recovery.messages(), 'since the last run');
      await recovery.begin(!isResumed);
    } catch (error) {
      if (this.#end.signal.aborted) return;
      this.#ctx.out.warn(`what was missed cannot be found later: ${messageOf(error)}`);
    }
  }

  async #tell(finding: Promise<number>, when: string): Promise<void> {
    const found = await finding;
    if (found > 0) this.#ctx.out.note(`${found} message${found === 1 ? '' : 's'} ${when} filled in`);
  }

  /** One gap after the other, in the background. */
  #fill(gap: Gap): void {
    const before = this.#filling;
    this.#filling = this.#fillAfter(before, gap);
  }

  async #fillAfter(before: Promise<void>, gap: Gap): Promise<void> {
    await before;
    const recovery = this.#recovery;
    if (!recovery) return;
    const between = `${new Date(gap.from).toISOString()} and ${new Date(gap.to).toISOString()}`;
    try {
      await this.#ctx.sleep(settleMilliseconds, this.#end.signal);
      const { messages, snapshots, lost } = await recovery.fill(gap);
      const found = [
        `${messages} messages filled in`,
        ...(snapshots > 0 ? [`presence of ${snapshots} read again`] : []),
      ];
      this.#ctx.out.warn(`${gap.reason} between ${between}: ${found.join(', ')}`);
      if (lost.length > 0)
        this.#ctx.out.warn(`events that cannot be recovered for that time: ${lost.join(', ')}`);
    } catch (error) {
      if (this.#end.signal.aborted) return;
      this.#ctx.out.warn(`the time between ${between} could not be looked through: ${messageOf(error)}`);
    }
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
    const { view, readyFile, transport, targets } = this.#plan;
    const columns = await view();
    const address = subscription?.deliveryMode.address ?? transport.url ?? '';
    await announceReady(this.#ctx, { url: transport.url, address, subscription, inspectUrl }, readyFile);
    const stop = new AbortController();
    const dispatcher = targets.length > 0 ? this.#dispatch(stop.signal) : undefined;
    const shown = { end: 'reader' as 'reader' | 'signal' | 'count' };
    await this.#ctx.out.stream(this.#events(shown), columns);
    // Its reader may be gone while it waits for the next event.
    if (shown.end === 'reader') this.#end.abort();
    // Who has seen enough does not want the rest at the next start; it is in the inbox.
    if (shown.end !== 'signal') this.#inbox.moveToEnd(this.#cursor);
    stop.abort();
    await dispatcher?.running;
    const left = (await dispatcher?.close(drain, shown.end === 'count')) ?? 0;
    if (left > 0) {
      const events = left === 1 ? '1 event is' : `${left} events are`;
      this.#ctx.out.warn(`${events} not handed on yet; the next run with the same targets goes on with them`);
    }
  }

  get #cursor(): string {
    return `${this.#receiver}:output`;
  }

  #dispatch(signal: AbortSignal) {
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
      onRelief: ({ target, eventId }) =>
        this.#ctx.out.note(`${target} takes events again, from ${eventId} on`),
    });
    return {
      running: dispatcher.run(signal),
      close: (milliseconds: number, patient: boolean) => dispatcher.close(milliseconds, patient),
    };
  }

  async *#events(shown: { end: string }): AsyncGenerator<ShownEvent, void, undefined> {
    let left = this.#plan.count ?? Number.POSITIVE_INFINITY;
    for await (const stored of this.#inbox.read(this.#receiver, this.#cursor, this.#end.signal)) {
      const event = shownEvent(stored, this.#keys);
      if (!this.#isWanted(event, stored)) continue;
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
    if (isFresh && this.#recovery?.isLate(stored.raw)) return false;
    return this.#plan.where?.(event) ?? true;
  }
}
