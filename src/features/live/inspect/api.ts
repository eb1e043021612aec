import type { HttpSend } from '../../../client/index.ts';
import { limitTime } from '../../../platform/time-limit.ts';
import { EventDescriber } from '../describe/event-describer.ts';
import type { EventNames } from '../describe/event-names.ts';
import type { MessageLookup } from '../describe/message-lookup.ts';
import { textOf } from '../deliver/dispatcher.ts';
import { eventSubject } from '../notification/notification.rows.ts';
import type { DeliveryStore } from '../store/event-store.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { readNotification } from '../notification/notification.ts';
import { shownEvent, type ShownEvent } from '../notification/shown-event.ts';
import { forwardTarget } from '../deliver/target.ts';
import type { InspectedEvents } from './inspected-events.ts';
import type { EventFilter, InspectedDetail, InspectedEvent, InspectedPage, ReplayResult } from './types.ts';

export interface InspectSettings {
  readonly events: InspectedEvents;
  readonly keys: () => readonly string[];
  readonly http: HttpSend;
  readonly names: EventNames;
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
  readonly #deliveries: DeliveryStore;
  readonly #describer: EventDescriber;
  /** Descriptions of presence events by ID. They depend on the previous event, so they are created once, in order. */
  readonly #presence = new Map<number, string>();

  constructor(settings: InspectSettings) {
    this.#settings = settings;
    this.#describer = new EventDescriber(settings.names);
    this.#deliveries = settings.events.deliveries;
  }

  /** Returns the matching events, newest first, and the ID from which to poll. */
  newest(filter: EventFilter): InspectedPage {
    const { events: stored } = this.#settings;
    const last = stored.last();
    const lines: InspectedEvent[] = [];
    let before = last + 1;
    for (let searched = 0; searched < maxSearched && lines.length < maxLines;) {
      const events = stored.before(before);
      if (events.length === 0) break;
      searched += events.length;
      before = events.at(-1)?.id ?? 0;
      // Descriptions depend on earlier events, so the events are processed oldest first.
      lines.push(...this.#matching(events.toReversed(), filter).toReversed());
    }
    return { lines: lines.slice(0, maxLines), last };
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
    return { lines: this.#matching(events, filter), last: events.at(-1)?.id ?? after };
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
    const event = shownEvent(stored, this.#settings.keys());
    const deliveries = this.#deliveries.of(id).map(({ target, state, attempts, problem, milliseconds }) => ({
      target: withoutPassword(target),
      state,
      attempts,
      problem,
      milliseconds,
    }));
    return { ...this.#line(stored), origin: stored.origin, event, text: textOf(event, stored), deliveries };
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
    const text = edited ?? textOf(shownEvent(stored, this.#settings.keys()), stored);
    const event = readNotification(text)?.notification;
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

  #matching(events: readonly StoredEvent[], { text, kind }: EventFilter): readonly InspectedEvent[] {
    const wanted = text.toLowerCase();
    return events
      .map((stored) => ({ stored, line: this.#line(stored) }))
      .filter(
        ({ stored: { raw, key }, line }) =>
          wanted === '' || [raw, key, line.description].some((place) => place.toLowerCase().includes(wanted)),
      )
      .map(({ line }) => line)
      .filter(({ event, isRecovered }) => {
        if (kind === 'recovered') return isRecovered;
        return kind === '' || event === kind || event.startsWith(`${kind}:`);
      });
  }

  #description(id: number, event: ShownEvent): string {
    const made = this.#presence.get(id);
    if (made !== undefined) return made;
    const { details } = this.#describer.describe(event, this.#settings.events.messages.of(id));
    if (!eventSubject(event.event).name.startsWith('presence')) return details;
    if (this.#presence.size >= maxDescriptions) this.#presence.clear();
    this.#presence.set(id, details);
    return details;
  }

  #line(stored: StoredEvent): InspectedEvent {
    const event = shownEvent(stored, this.#settings.keys());
    const { name, extensionId } = eventSubject(event.event);
    const { id, receivedAt } = stored;
    return {
      id,
      receivedAt: new Date(receivedAt).toISOString(),
      event: name,
      extensionId,
      description: this.#description(id, event),
      isRecovered: event.recovered ?? false,
      isEncrypted: event.encryptedBody !== undefined,
    };
  }
}

/** Maximum number of stored descriptions: enough for a search through all events and the lines on the page. */
const maxDescriptions = 25_000;

/** Masks user name and password in the address of a target. */
function withoutPassword(target: string): string {
  return target.replace(/(https?:\/\/)[^/@\s]*@/, '$1***@');
}
