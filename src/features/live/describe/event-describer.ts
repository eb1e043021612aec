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

  /** @param before the previous presence of the person; by default that of the last event that was described. */
  describe<T extends ShownEvent>(
    event: T,
    messages?: readonly unknown[],
    before = this.#before(event),
  ): T & DescribedEvent {
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
    const presence = presenceOf(event);
    if (presence === undefined) return undefined;
    const before = this.#presence.get(presence.person);
    this.#presence.set(presence.person, presence.members);
    return before;
  }
}

/** The members of the body of a presence event. */
export type PresenceMembers = Members;

/** Returns the presence of a person (the ID of the extension) that an event reports; undefined without a state of calls. */
export function presenceOf(
  event: ShownEvent,
): { readonly person: string; readonly members: PresenceMembers } | undefined {
  const [path = ''] = event.event.split('?', 1);
  const members = membersOf(event.body);
  const isPresence = /\/presence(?:\/line\/presence)?$/.test(path) && !path.includes('/call-queues/');
  const person = isPresence ? extensionOf(event) : undefined;
  if (person === undefined || !('telephonyStatus' in members || 'activeCalls' in members)) return undefined;
  return { person, members };
}
