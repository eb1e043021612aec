import { laneOf } from '../log/lane.ts';
import type { ShownEvent } from '../notification/shown-event.ts';
import { EventDescriber } from './event-describer.ts';
import type { EventNames } from './event-names.ts';
import type { MessageLookup } from './message-lookup.ts';

/** Describes the events that are delivered to a command, as on the terminal. A retry gets the same text. */
export class DeliveryDetails {
  readonly #describer: EventDescriber;
  readonly #lookup: Pick<MessageLookup, 'of'> | undefined;
  /** The last text of each extension, whose events are delivered one after another. */
  readonly #last = new Map<string, { readonly id: number; readonly details: string }>();

  constructor(names: EventNames, lookup: Pick<MessageLookup, 'of'> | undefined) {
    this.#describer = new EventDescriber(names);
    this.#lookup = lookup;
  }

  /** @param id the ID of the event in the inbox. */
  async of(id: number, event: ShownEvent): Promise<string> {
    const lane = laneOf(event);
    const last = this.#last.get(lane);
    if (last?.id === id) return last.details;
    const { details } = this.#describer.describe(event, await this.#lookup?.of(id, event));
    this.#last.set(lane, { id, details });
    return details;
  }
}
