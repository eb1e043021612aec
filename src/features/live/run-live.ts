import type { Subscription } from '../../contract/subscription.ts';
import type { Context } from '../../runtime/context.ts';
import { offerAllExtensions, offerCallers, ReadyAnnouncer, removeReadyFile } from './announce.ts';
import { placeDispatchCursor, startDelivery } from './deliver/delivery.ts';
import { DeliveryDetails } from './describe/delivery-details.ts';
import { EventDescriber, type DescribedEvent } from './describe/event-describer.ts';
import { EventNames, type NamedExtension } from './describe/event-names.ts';
import { MessageLookup } from './describe/message-lookup.ts';
import { NamesRefresh } from './describe/names-refresh.ts';
import type { LivePlan } from './live-plan.ts';
import { notificationView } from './notification/notification-view.ts';
import { shownEvent, type ShownEvent } from './notification/shown-event.ts';
import { Gaps } from './recover/gaps.ts';
import { inboxRecovery } from './recover/inbox-recovery.ts';
import { recoveredKeys } from './recover/recovery.ts';
import { OtherStore } from './other-store.ts';
import { openLiveSession, type LiveSession, type SessionPlace } from './session.ts';
import type { Inbox } from './store/inbox.ts';
import { isDelivered, type StoredEvent } from './store/stored-event.ts';
import { storingSink, type RejectedRecovery } from './storing-sink.ts';
import type { Intake } from './subscription/transport.ts';

/** Maximum time in milliseconds for replies and deliveries in progress when the run ends. */
const drainMilliseconds = 5000;

/**
 * Receives, stores, shows and forwards events until Ctrl-C, until `count` events are shown, or until the reader of the
 * output closes the output. The subscription is created first and deleted last. All events accepted in between are in
 * the inbox.
 */
export async function runLive(ctx: Context, plan: LivePlan): Promise<void> {
  try {
    await new LiveRun(ctx, plan).run();
  } finally {
    await removeReadyFile(ctx, plan.readyFile);
  }
}

/** Names and messages that are known for the account of the events. */
interface Knowledge {
  readonly extensions: readonly NamedExtension[];
  readonly names: EventNames;
  readonly lookup: MessageLookup | undefined;
}

/** The output of a run. */
interface Shown {
  readonly cursor: string;
  readonly shown: { end: string; id: number };
  readonly describer: EventDescriber;
  readonly refresh: NamesRefresh;
  readonly lookup: MessageLookup | undefined;
}

class LiveRun {
  readonly #ctx: Context;
  readonly #plan: LivePlan;
  readonly #end = new AbortController();
  readonly #announcer: ReadyAnnouncer;
  #gaps: Gaps | undefined;
  #otherStore: OtherStore | undefined;
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
        await this.#gaps?.begin(this.#plan.recover);
        await this.#show(session);
      } finally {
        await this.#gaps?.close();
        await session.close();
      }
    } finally {
      this.#plan.where?.end();
      this.#ctx.signal.removeEventListener('abort', end);
      this.#end.abort();
    }
    if (this.#failure) throw this.#failure.error as Error;
  }

  /** Ends the run in the usual order, and then throws the error. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#end.abort();
  }

  #open(): Promise<LiveSession> {
    const { api, request, encryption, transport, receiver, keepSubscription, targets } = this.#plan;
    return openLiveSession(this.#ctx, {
      api,
      request,
      encryption,
      transport,
      receiver,
      keepSubscription,
      drainMilliseconds,
      sink: (place) => {
        place.inbox.trim();
        placeDispatchCursor(place.inbox, place.receiver, targets);
        const { inbox, receiver: name } = place;
        const { alsoStore } = this.#plan;
        const other = alsoStore && new OtherStore({ inbox, receiver: name, alsoStore });
        this.#otherStore = other;
        const store: Pick<Intake, 'accept'> = {
          accept: (received) =>
            other?.accept(received, transport.origin) ?? inbox.accept(received, name, transport.origin),
        };
        // The other transports deliver an event again that was not stored.
        const needsRecovery = transport.origin === 'webhook' && request !== undefined;
        return storingSink(this.#ctx, store, needsRecovery ? this.#rejectedRecovery() : undefined);
      },
      onSubscribed: (subscription, place) => this.#onSubscribed(subscription, place),
      onUpdate: (subscription) => this.#announcer.follow(subscription),
      onGap: (gap) => this.#gaps?.fill(gap),
      onFailure: (error) => this.#fail(error),
    });
  }

  #rejectedRecovery(): RejectedRecovery {
    return {
      signal: this.#end.signal,
      recover: async (from) =>
        (await this.#gaps?.fillNow({ from, to: this.#ctx.now(), reason: 'ucctl could not store events' })) ??
        false,
    };
  }

  async #onSubscribed(subscription: Subscription, { inbox, receiver }: SessionPlace): Promise<void> {
    const recovery = inboxRecovery(inbox, receiver);
    this.#gaps = new Gaps(this.#ctx, subscription.eventFilters, {
      store: this.#otherStore?.recoveryOf(recovery) ?? recovery,
      api: await this.#plan.api(),
      signal: this.#end.signal,
      now: () => this.#ctx.now(),
    });
    await this.#plan.onSubscribed?.(subscription);
  }

  async #show(session: LiveSession): Promise<void> {
    const knowledge = await this.#know(session);
    const inspector = this.#plan.inspect ? await this.#inspect(session, knowledge) : undefined;
    try {
      await this.#stream(session, knowledge, inspector?.url);
    } finally {
      await inspector?.close();
    }
  }

  async #inspect({ inbox, receiver, keys }: LiveSession, { names, lookup }: Knowledge) {
    const { startInspector } = await import('./inspect/index.ts');
    const http = await this.#ctx.http();
    const warn = (problem: string): void => this.#ctx.out.warn(problem);
    return startInspector({ inbox, receiver, keys, names: () => names, lookup, http, warn });
  }

  /** Returns the names of extensions, and the lookup of messages if it is requested. */
  async #know({ inbox }: LiveSession): Promise<Knowledge> {
    const extensions = [...(await this.#plan.extensions())];
    const names = new EventNames(extensions);
    if (!this.#plan.lookup) return { extensions, names, lookup: undefined };
    const lookup = new MessageLookup({
      api: this.#plan.api,
      store: inbox.messages,
      signal: AbortSignal.any([this.#ctx.signal, this.#end.signal]),
      now: () => this.#ctx.now(),
      warn: (text) => this.#ctx.out.warn(text),
    });
    return { extensions, names, lookup };
  }

  async #stream(
    session: LiveSession,
    { extensions, names, lookup }: Knowledge,
    inspectUrl: string | undefined,
  ): Promise<void> {
    const { inbox, receiver, subscription, address, keys } = session;
    const { transport, targets } = this.#plan;
    await this.#announcer.announce({ url: transport.url, address, subscription, inspectUrl, names });
    offerCallers(this.#ctx, subscription);
    if (this.#plan.offersAll) offerAllExtensions(this.#ctx, subscription, extensions);
    const details = new DeliveryDetails(names, lookup);
    const delivery = startDelivery(this.#ctx, {
      inbox,
      receiver,
      targets,
      keys,
      detailsOf: (id, event) => details.of(id, event),
      wanted: (event, stored) => this.#isWanted(inbox, event, stored),
      onFailure: (error) => this.#fail(error),
      drainMilliseconds,
    });
    const cursor = `${receiver}:output`;
    const describer = new EventDescriber(names);
    const refresh = new NamesRefresh(
      names,
      () => this.#plan.extensions(),
      () => this.#ctx.now(),
    );
    const shown = { end: 'reader' as 'reader' | 'signal' | 'count', id: 0 };
    try {
      await this.#ctx.out.stream(this.#events(session, { cursor, shown, describer, refresh, lookup }), {
        ...notificationView(describer),
        // The cursor moves directly after the line is written: if the process were killed in between, the
        // next run
        // would show the event twice.
        onWritten: () => inbox.cursor(cursor).move(shown.id),
      });
      // The reader closed the output while the run waited for the next event.
      if (shown.end === 'reader') this.#end.abort();
      // After --count or a closed pipe, the next run starts with new events. The remaining events stay in
      // the inbox.
      if (shown.end !== 'signal') inbox.moveToEnd(cursor);
    } finally {
      await delivery.end(shown.end === 'count');
    }
  }

  async *#events(
    { inbox, receiver, keys }: LiveSession,
    { cursor, shown, describer, refresh, lookup }: Shown,
  ): AsyncGenerator<DescribedEvent, void, undefined> {
    let left = this.#plan.count ?? Number.POSITIVE_INFINITY;
    for await (const stored of inbox.read(receiver, cursor, this.#end.signal)) {
      const event = shownEvent(stored, keys());
      await refresh.before(event);
      if (!this.#isWanted(inbox, event, stored)) continue;
      shown.id = stored.id;
      yield describer.describe(event, await lookup?.of(stored.id, event));
      left -= 1;
      if (left > 0) continue;
      shown.end = 'count';
      return;
    }
    shown.end = 'signal';
  }

  #isWanted(inbox: Inbox, event: ShownEvent, stored: StoredEvent): boolean {
    if (this.#gaps && isDelivered(stored)) {
      const keys = recoveredKeys(event);
      if (keys.length > 0 && keys.every((key) => inbox.has(stored.receiver, key))) return false;
    }
    return this.#plan.where?.matches(event, stored.key) ?? true;
  }
}
