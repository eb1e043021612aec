import type { ShownEvent } from '../notification/shown-event.ts';
import { membersOf, objectsOf } from './body-values.ts';
import type { EventNames, NamedExtension } from './event-names.ts';

/** Minimum milliseconds between two reads, because a bulk change of an account causes many events. */
const apart = 10_000;

/** Reads the names of extensions again after events that report new or changed extensions. */
export class NamesRefresh {
  readonly #names: EventNames;
  readonly #read: () => Promise<Iterable<NamedExtension>>;
  readonly #now: () => number;
  #isDue = false;
  #readAt: number | undefined;

  /** @param now time in milliseconds */
  constructor(names: EventNames, read: () => Promise<Iterable<NamedExtension>>, now: () => number) {
    this.#names = names;
    this.#read = read;
    this.#now = now;
  }

  /** Updates the names that the description of this event, or of an earlier one, needs. */
  async before(event: ShownEvent): Promise<void> {
    this.#isDue ||= changesNames(event);
    if (!this.#isDue || this.#isTooSoon()) return;
    this.#isDue = false;
    this.#readAt = this.#now();
    // Without the new names, events are described with the known ones.
    const read = await this.#read().catch(() => []);
    this.#names.add(read);
  }

  #isTooSoon(): boolean {
    const age = this.#now() - (this.#readAt ?? Number.NEGATIVE_INFINITY);
    // A negative age means that the clock was set back; it is ignored.
    return age >= 0 && age < apart;
  }
}

/** Whether an event reports new extensions, or changed names or numbers. */
function changesNames({ event, body }: ShownEvent): boolean {
  const [path = ''] = event.split('?', 1);
  if (!/\/extension(?:\/[^/]+)?$/.test(path)) return false;
  const { extensions = body } = membersOf(body);
  return objectsOf(extensions).some(
    ({ eventType, hints }) =>
      eventType === 'Create' || !Array.isArray(hints) || hints.includes('ExtensionInfo'),
  );
}
