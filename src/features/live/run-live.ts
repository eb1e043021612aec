import type { Subscription } from '../../contract/subscription.ts';
import type { Context } from '../../runtime/context.ts';
import { ReadyAnnouncer, removeReadyFile } from './announce.ts';
import { placeDispatchCursor, startDelivery } from './deliver/delivery.ts';
import type { LivePlan } from './live-plan.ts';
import { notificationView } from './notification/notification-view.ts';
import { shownEvent, type ShownEvent } from './notification/shown-event.ts';
import { Gaps } from './recover/gaps.ts';
import { openLiveSession, type LiveSession, type SessionPlace } from './session.ts';
import { isDelivered, type StoredEvent } from './store/stored-event.ts';
import { storingSink } from './storing-sink.ts';

/** Time for answers and deliveries in progress when the run ends. */
const drainMilliseconds = 5000;

/**
 * Receives, stores, shows and delivers until Ctrl-C, the count, or the reader of the output is gone. The subscription is created first and
 * deleted last, and what was accepted in between is in the inbox.
 */
export async function runLive(ctx: Context, plan: LivePlan): Promise<void> {
  // One of a run that was killed.
  await removeReadyFile(ctx, plan.readyFile);
  try {
    await new LiveRun(ctx, plan).run();
  } finally {
    await removeReadyFile(ctx, plan.readyFile);
  }
}

class LiveRun {
  readonly #ctx: Context;
  readonly #plan: LivePlan;
  readonly #end = new AbortController();
  readonly #announcer: ReadyAnnouncer;
  #gaps: Gaps | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(ctx: Context, plan: LivePlan) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#announcer = new ReadyAnnouncer(ctx, plan.readyFile, this.#end.signal);
  }

  async run(): Promise<void> {
    const end = (): void => this.#end.abort();
    this.#ctx.signal.addEventListener('abort', end);
    if (this.#ctx.signal.aborted) end();
    try {
      const session = await this.#open();
      try {
        await this.#gaps?.catchUp(this.#plan.recover);
        await this.#show(session);
      } finally {
        await this.#gaps?.settled();
        await session.close();
      }
    } finally {
      this.#ctx.signal.removeEventListener('abort', end);
      this.#end.abort();
    }
    if (this.#failure) throw this.#failure.error as Error;
  }

  /** Ends the run in order, and then with this. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#end.abort();
  }

  #open(): Promise<LiveSession> {
    const { api, request, encryption, transport, receiver, keep, targets } = this.#plan;
    return openLiveSession(this.#ctx, {
      api,
      request,
      encryption,
      transport,
      receiver,
      keep,
      drainMilliseconds,
      sink: (place) => {
        place.inbox.trim();
        placeDispatchCursor(place.inbox, place.receiver, targets);
        return storingSink(this.#ctx, place, transport.origin);
      },
      onSubscribed: (subscription, place) => this.#onSubscribed(subscription, place),
      onCopy: (copy) => this.#announcer.follow(copy),
      onGap: (gap) => this.#gaps?.fill(gap),
      onFailure: (error) => this.#fail(error),
    });
  }

  async #onSubscribed(subscription: Subscription, { inbox, receiver }: SessionPlace): Promise<void> {
    this.#gaps = new Gaps(this.#ctx, subscription.eventFilters, {
      inbox,
      receiver,
      api: await this.#plan.api(),
      signal: this.#end.signal,
      now: () => this.#ctx.now(),
    });
    await this.#plan.onSubscribed?.(subscription);
  }

  async #show(session: LiveSession): Promise<void> {
    const inspector = this.#plan.inspect ? await this.#inspect(session) : undefined;
    try {
      await this.#stream(session, inspector?.url);
    } finally {
      await inspector?.close();
    }
  }

  async #inspect({ inbox, receiver, keys }: LiveSession) {
    const { startInspector } = await import('./inspect/index.ts');
    return startInspector({ inbox, receiver, keys, http: await this.#ctx.http() });
  }

  async #stream(session: LiveSession, inspectUrl: string | undefined): Promise<void> {
    const { inbox, receiver, subscription, address, keys } = session;
    const { transport, targets } = this.#plan;
    const names = await this.#plan.names();
    await this.#announcer.announce({ url: transport.url, address, subscription, inspectUrl, names });
    const delivering = startDelivery(this.#ctx, {
      inbox,
      receiver,
      targets,
      keys,
      wanted: (event, stored) => this.#isWanted(event, stored),
      onFailure: (error) => this.#fail(error),
      drainMilliseconds,
    });
    const cursor = `${receiver}:output`;
    const shown = { end: 'reader' as 'reader' | 'signal' | 'count', id: 0 };
    try {
      await this.#ctx.out.stream(this.#events(session, cursor, shown), {
        ...notificationView((id) => names.get(id), subscription?.eventFilters ?? []),
        // Nothing comes between the line and the note of it, or a kill there would show it twice.
        onTaken: () => inbox.cursor(cursor).move(shown.id),
      });
      // Its reader may be gone while it waits for the next event.
      if (shown.end === 'reader') this.#end.abort();
      // Who has seen enough does not want the rest at the next start; it is in the inbox.
      if (shown.end !== 'signal') inbox.moveToEnd(cursor);
    } finally {
      await delivering.end(shown.end === 'count');
    }
  }

  async *#events(
    { inbox, receiver, keys }: LiveSession,
    cursor: string,
    shown: { end: string; id: number },
  ): AsyncGenerator<ShownEvent, void, undefined> {
    let left = this.#plan.count ?? Number.POSITIVE_INFINITY;
    for await (const stored of inbox.read(receiver, cursor, this.#end.signal)) {
      const event = shownEvent(stored, keys());
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
    if (isDelivered(stored) && this.#gaps?.isLate(event)) return false;
    return this.#plan.where?.(event) ?? true;
  }
}
