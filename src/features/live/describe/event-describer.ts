import { extensionOf } from '../notification/notification.rows.ts';
import type { ShownEvent } from '../notification/shown-event.ts';
import { membersOf, type Members } from './body-values.ts';
import { describeEvent } from './describe-event.ts';
import type { EventNames } from './event-names.ts';
import { sentenceOf, type EventText } from './event-text.ts';

/** An event with the sentence that describes it. */
export interface DescribedEvent extends ShownEvent {
  readonly details: string;
  /** The new messages of a mailbox event, newest first, if they were read. */
  readonly messages?: readonly unknown[];
}

/**
 * Describes events in the order in which they arrived. It remembers the last presence of each person, so that it can
 * report that a call ended or was missed.
 */
export class EventDescriber {
  readonly #names: EventNames;
  readonly #presence = new Map<string, Members>();
  readonly #texts = new WeakMap<object, EventText>();

  constructor(names: EventNames) {
    this.#names = names;
  }

  describe<T extends ShownEvent>(event: T, messages?: readonly unknown[]): T & DescribedEvent {
    const before = this.#before(event);
    const text = describeEvent(event, { names: this.#names, messages, before });
    const described = { ...event, details: sentenceOf(text), ...(messages && { messages }) };
    this.#texts.set(described, text);
    return described;
  }

  /** Returns the parts of the sentence of an event that this describer described. */
  textOf(event: DescribedEvent): EventText {
    return this.#texts.get(event) ?? { head: event.details };
  }

  /** Returns the previous presence of the person of this event, and replaces it. */
  #before(event: ShownEvent): Members | undefined {
    const [path = ''] = event.event.split('?', 1);
    const body = membersOf(event.body);
    const isPresence = /\/presence(?:\/line\/presence)?$/.test(path) && !path.includes('/call-queues/');
    const id = isPresence ? extensionOf(event) : undefined;
    if (id === undefined || !('telephonyStatus' in body || 'activeCalls' in body)) return undefined;
    const before = this.#presence.get(id);
    this.#presence.set(id, body);
    return before;
  }
}
