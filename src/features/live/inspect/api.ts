import type { HttpSend } from '../../../client/index.ts';
import { textOf } from '../deliver/dispatcher.ts';
import { describeBody, eventSubject } from '../notification/describe.ts';
import type { DeliveryStore, EventStore } from '../store/event-store.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { readNotification } from '../notification/notification.ts';
import { shownEvent } from '../notification/shown-event.ts';
import { forwardTarget } from '../deliver/target.ts';

export interface InspectSettings {
  readonly inbox: EventStore;
  readonly receiver: string;
  readonly keys: () => readonly string[];
  readonly http: HttpSend;
}

/** What the list is narrowed to. */
export interface Filter {
  /** In the event's text, in any case of letters. */
  readonly text: string;
  /** A short name without its parameters, `recovered`, or nothing. */
  readonly kind: string;
}

/** One event in the list. */
interface Line {
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  readonly event: string;
  readonly extensionId: string | undefined;
  readonly what: string;
  readonly isRecovered: boolean;
  readonly isSealed: boolean;
}

export interface Replayed {
  readonly taken: boolean;
  readonly problem: string | undefined;
  readonly milliseconds: number;
}

const mostLines = 100;
/** Events that one search looks at: the newest so many. */
const mostSearched = 20_000;
const longestPoll = 20_000;

/** What the page asks for. */
export class InspectApi {
  readonly #settings: InspectSettings;
  readonly #deliveries: DeliveryStore;

  constructor(settings: InspectSettings) {
    this.#settings = settings;
    this.#deliveries = settings.inbox.deliveries;
  }

  /** The newest that fit, newest first, and the id after which news are to be asked for. */
  newest(filter: Filter): { readonly lines: readonly Line[]; readonly last: number } {
    const { inbox, receiver } = this.#settings;
    const last = inbox.last();
    const lines: Line[] = [];
    let before = last + 1;
    for (let searched = 0; searched < mostSearched && lines.length < mostLines;) {
      const events = inbox.before(receiver, before);
      if (events.length === 0) break;
      searched += events.length;
      before = events.at(-1)?.id ?? 0;
      lines.push(...this.#fitting(events, filter));
    }
    return { lines: lines.slice(0, mostLines), last };
  }

  /** Those behind an id that fit, oldest first; waits for the next commit when there are none, at most 20 s. */
  async news(
    after: number,
    filter: Filter,
    signal: AbortSignal,
  ): Promise<{ readonly lines: readonly Line[]; readonly last: number }> {
    const { inbox, receiver } = this.#settings;
    let events = inbox.after(receiver, after);
    if (events.length === 0) {
      await inbox.nextCommit(AbortSignal.any([signal, AbortSignal.timeout(longestPoll)]));
      if (signal.aborted) return { lines: [], last: after };
      events = inbox.after(receiver, after);
    }
    return { lines: this.#fitting(events, filter), last: events.at(-1)?.id ?? after };
  }

  /** One event in full. */
  detail(id: number): object | undefined {
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

  /** Hands an event, or an edited text of it, to a URL. Undefined when there is no such event. @throws {RangeError} for no URL or no notification. */
  async replay(
    id: number,
    address: string,
    edited: string | undefined,
    signal: AbortSignal,
  ): Promise<Replayed | undefined> {
    const stored = this.#find(id);
    if (!stored) return undefined;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || !/^https?:$/.test(url.protocol))
      throw new RangeError('that is no http:// or https:// address');
    const text = edited ?? textOf(shownEvent(stored, this.#settings.keys()), stored);
    const event = readNotification(text)?.notification;
    if (!event) throw new RangeError('that is no notification: a JSON object with "event"');
    const start = performance.now();
    const took = (): number => Math.round(performance.now() - start);
    try {
      await forwardTarget(url, undefined, this.#settings.http).send(event, text, signal);
      return { taken: true, problem: undefined, milliseconds: took() };
    } catch (error) {
      return { taken: false, problem: error instanceof Error ? error.message : '', milliseconds: took() };
    }
  }

  #find(id: number): StoredEvent | undefined {
    const [stored] = this.#settings.inbox.byId(id);
    return stored?.receiver === this.#settings.receiver ? stored : undefined;
  }

  #fitting(events: readonly StoredEvent[], { text, kind }: Filter): readonly Line[] {
    const wanted = text.toLowerCase();
    return events
      .filter(({ raw, key }) => wanted === '' || raw.toLowerCase().includes(wanted) || key.includes(wanted))
      .map((stored) => this.#line(stored))
      .filter(({ event, isRecovered }) => {
        if (kind === 'recovered') return isRecovered;
        return kind === '' || event === kind || event.startsWith(`${kind}:`);
      });
  }

  #line(stored: StoredEvent): Line {
    const event = shownEvent(stored, this.#settings.keys());
    const { name, extensionId } = eventSubject(event.event);
    const { id, receivedAt } = stored;
    return {
      id,
      receivedAt: new Date(receivedAt).toISOString(),
      event: name,
      extensionId,
      what: describeBody(event),
      isRecovered: event.recovered ?? false,
      isSealed: event.sealed !== undefined,
    };
  }
}

/** A target's address may hold a password. */
function withoutPassword(target: string): string {
  return target.replace(/(https?:\/\/)[^/@\s]*@/, '$1***@');
}
