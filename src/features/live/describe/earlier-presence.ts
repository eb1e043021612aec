import { shownEvent, type ShownEvent } from '../notification/shown-event.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { presenceOf, type PresenceMembers } from './event-describer.ts';

/** Maximum number of earlier events that are read for the previous presence of a person. */
export const mostEarlier = 1000;

/** An event whose description may depend on an earlier one. */
export interface ComparedEvent {
  /** The previous presence of the person of a presence event; undefined if it was not found. */
  before: PresenceMembers | undefined;
}

/** Searches for the previous presence of people. The events must be read newest first. */
export class EarlierPresence<T extends ComparedEvent> {
  /** The events whose previous presence was not found yet, by person. */
  readonly #open = new Map<string, T>();

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /**
   * Reads an event, which may be the previous presence of a later one.
   * @param compared set if the previous presence of this event is also needed
   * @returns the later event; and whether a search for this event began
   */
  read(shown: ShownEvent, compared?: T): { readonly later: T | undefined; readonly isOpened: boolean } {
    const presence = presenceOf(shown);
    if (!presence) return { later: undefined, isOpened: false };
    const { person, members } = presence;
    const later = this.#open.get(person);
    if (later) later.before = members;
    this.#open.delete(person);
    if (compared) this.#open.set(person, compared);
    return { later, isOpened: compared !== undefined };
  }
}

/** A stored event with everything that its description depends on. */
export interface EventInOrder extends ComparedEvent {
  readonly stored: StoredEvent;
  readonly shown: ShownEvent;
}

/** Adds the previous presence to events. It reads earlier events than it yields. Both orders are newest first. */
export function* withEarlierPresence(
  newestFirst: Iterable<StoredEvent>,
  keys: readonly string[],
): Generator<EventInOrder, void, undefined> {
  const search = new EarlierPresence<EventInOrder>();
  const searched = new Set<EventInOrder>();
  const queue: EventInOrder[] = [];
  for (const stored of newestFirst) {
    const shown = shownEvent(stored, keys);
    const event: EventInOrder = { stored, shown, before: undefined };
    const { later, isOpened } = search.read(shown, event);
    if (later) searched.delete(later);
    if (isOpened) searched.add(event);
    queue.push(event);
    for (let first = queue[0]; first && isReady(first); first = queue[0]) {
      queue.shift();
      searched.delete(first);
      yield first;
    }
  }
  yield* queue;

  function isReady(event: EventInOrder): boolean {
    return !searched.has(event) || queue.length > mostEarlier;
  }
}
