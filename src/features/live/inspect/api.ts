import type { HttpSend } from '../../../client/index.ts';
import { limitTime } from '../../../platform/time-limit.ts';
import { describeEvent } from '../describe/describe-event.ts';
import { withEarlierPresence, type EventInOrder } from '../describe/earlier-presence.ts';
import type { EventNames } from '../describe/event-names.ts';
import { sentenceOf } from '../describe/event-text.ts';
import type { MessageLookup } from '../describe/message-lookup.ts';
import { textOf } from '../deliver/dispatcher.ts';
import { eventSubject } from '../notification/notification.rows.ts';
import type { Deliveries } from '../store/deliveries.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { shownEvent } from '../notification/shown-event.ts';
import { replayedEvent } from '../deliver/replayed-event.ts';
import { forwardTarget } from '../deliver/target.ts';
import type { InspectedEvents } from './inspected-events.ts';
import type {
  EventFilter,
  InspectedDetail,
  InspectedEvent,
  InspectedPage,
  Receiving,
  ReplayResult,
} from './types.ts';
import { isolateRuns } from '../../../platform/isolate.ts';
import { safe } from '../../../platform/terminal-text.ts';
import { maskUserInfoIn } from '../../../platform/user-info.ts';

export interface InspectSettings {
  readonly events: InspectedEvents;
  readonly keys: () => readonly string[];
  readonly http: HttpSend;
  /** Called once for each request. */
  readonly names: () => EventNames;
  /** Undefined if the text of messages is not read. */
  readonly lookup?: Pick<MessageLookup, 'of'> | undefined;
}

const maxLines = 100;
/** Number of newest events that a search examines. */
const maxSearched = 20_000;
const maxPollMilliseconds = 20_000;

/** Answers the requests of the inspector page. */
export class InspectApi {
  readonly #settings: InspectSettings;
  readonly #deliveries: Deliveries;

  constructor(settings: InspectSettings) {
    this.#settings = settings;
    this.#deliveries = settings.events.deliveries;
  }

  /** Returns the matching events, newest first, and the ID from which to poll. */
  newest(filter: EventFilter): InspectedPage {
    const { events: stored } = this.#settings;
    const last = stored.last();
    const lines: InspectedEvent[] = [];
    const names = this.#settings.names();
    let searched = 0;
    for (const event of this.#inOrder(stored.before(last + 1))) {
      if (searched >= maxSearched || lines.length >= maxLines) break;
      searched += 1;
      const line = this.#matching(event, filter, names);
      if (line) lines.push(line);
    }
    return { lines, last };
  }

  /**
   * Returns the matching events after an ID, oldest first. Waits up to 20 s for the next commit if there are no events.
   */
  async poll(after: number, filter: EventFilter, signal: AbortSignal): Promise<InspectedPage> {
    const { events: stored } = this.#settings;
    let events = stored.after(after);
    if (events.length === 0) {
      const limit = limitTime(signal, maxPollMilliseconds);
      await stored.nextCommit(limit.signal);
      limit.end();
      if (signal.aborted) return { lines: [], last: after };
      events = stored.after(after);
    }
    await this.#lookUp(events);
    const names = this.#settings.names();
    const lines = this.#withEarlier(events).flatMap((event) => this.#matching(event, filter, names) ?? []);
    return { lines, last: events.at(-1)?.id ?? after };
  }

  /** Returns whether events are being received, and when the newest one arrived. */
  receiving(): Receiving {
    const { events: stored } = this.#settings;
    const [newest] = stored.before(stored.last() + 1);
    return {
      since: stored.receivingSince(),
      isCopying: stored.isCopying(),
      lastAt: newest && new Date(newest.receivedAt).toISOString(),
    };
  }

  /** Waits until the messages of the events are in the store, or until their lookups ended without a result. */
  async #lookUp(events: readonly StoredEvent[]): Promise<void> {
    const { lookup, keys } = this.#settings;
    if (lookup) await Promise.all(events.map((stored) => lookup.of(stored.id, shownEvent(stored, keys()))));
  }

  /** Returns one event with its body and deliveries. */
  detail(id: number): InspectedDetail | undefined {
    const stored = this.#find(id);
    if (!stored) return undefined;
    const [compared] = this.#withEarlier([stored]);
    if (!compared) return undefined;
    const event = compared.shown;
    const deliveries = this.#deliveries.of(id).map(({ target, state, attempts, problem, milliseconds }) => ({
      target: maskUserInfoIn(target),
      state,
      attempts,
      problem,
      milliseconds,
    }));
    const line = this.#line(compared, this.#sentence(compared, this.#settings.names()));
    return { ...line, origin: stored.origin, event, text: textOf(event, stored), deliveries };
  }

  /**
   * Sends an event, or its edited text, to a URL. Undefined for an unknown event. @throws {RangeError} for an invalid
   * URL or notification.
   */
  async replay(
    id: number,
    address: string,
    edited: string | undefined,
    signal: AbortSignal,
  ): Promise<ReplayResult | undefined> {
    const stored = this.#find(id);
    if (!stored) return undefined;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || !/^https?:$/.test(url.protocol))
      throw new RangeError('enter a valid http:// or https:// URL');
    const keys = this.#settings.keys();
    const text = edited ?? textOf(shownEvent(stored, keys), stored);
    const event = replayedEvent(stored, text, keys);
    if (!event) throw new RangeError('the text is not a valid notification (a JSON object with "event")');
    const start = performance.now();
    const elapsed = (): number => Math.round(performance.now() - start);
    try {
      await forwardTarget(url, undefined, this.#settings.http).send(event, text, signal);
      return { isDelivered: true, problem: undefined, milliseconds: elapsed() };
    } catch (error) {
      return {
        isDelivered: false,
        problem: error instanceof Error ? error.message : '',
        milliseconds: elapsed(),
      };
    }
  }

  #find(id: number): StoredEvent | undefined {
    return this.#settings.events.byId(id);
  }

  /** Yields events that are newest first, and then all earlier ones. */
  *#andEarlier(newest: readonly StoredEvent[]): Generator<StoredEvent, void, undefined> {
    for (let events = newest, at = events.at(-1); at; at = events.at(-1)) {
      yield* events;
      events = this.#settings.events.before(at.id);
    }
  }

  #inOrder(newest: readonly StoredEvent[]): Generator<EventInOrder, void, undefined> {
    return withEarlierPresence(this.#andEarlier(newest), this.#settings.keys());
  }

  /** Adds what the descriptions of consecutive events depend on. Both orders are oldest first. */
  #withEarlier(events: readonly StoredEvent[]): readonly EventInOrder[] {
    const compared: EventInOrder[] = [];
    for (const event of this.#inOrder(events.toReversed())) {
      compared.push(event);
      if (compared.length === events.length) break;
    }
    return compared.toReversed();
  }

  #matching(event: EventInOrder, { text, kind }: EventFilter, names: EventNames): InspectedEvent | undefined {
    const sentence = this.#sentence(event, names);
    const line = this.#line(event, sentence);
    const { raw, key } = event.stored;
    const wanted = text.toLowerCase();
    const isWanted =
      wanted === '' || [raw, key, sentence].some((place) => place.toLowerCase().includes(wanted));
    if (!isWanted) return undefined;
    const isKind =
      kind === 'recovered'
        ? line.isRecovered
        : kind === '' || line.event === kind || line.event.startsWith(`${kind}:`);
    return isKind ? line : undefined;
  }

  #sentence({ stored, shown, before }: EventInOrder, names: EventNames): string {
    const { messages } = this.#settings.events;
    return sentenceOf(describeEvent(shown, { names, messages: messages.of(stored.id), before }));
  }

  #line({ stored, shown }: EventInOrder, sentence: string): InspectedEvent {
    const { name, extensionId } = eventSubject(shown.event);
    const { id, receivedAt } = stored;
    return {
      id,
      receivedAt: new Date(receivedAt).toISOString(),
      event: name,
      extensionId,
      description: isolateRuns(safe(sentence)),
      isRecovered: shown.recovered ?? false,
      isEncrypted: shown.encryptedBody !== undefined,
    };
  }
}
