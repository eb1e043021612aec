import type { Channel } from './channel.ts';
import type { BoardFeed, BoardParts, BoardUpdate } from './parts.ts';
import type { Outage } from './outage.ts';
import { orWarnOnce, readAll } from './reads.ts';
import type { BoardPerson } from './state.ts';

/** Milliseconds after which the people are read again, because their names may have changed. */
export const peopleMilliseconds = 600_000;

/** Returns the event filters that keep a board of these people up to date. */
export function boardFilters(people: readonly BoardPerson[], followsMembers: boolean): readonly string[] {
  const account = '/restapi/v1.0/account/~/extension';
  return [
    ...people.map(({ id }) => `${account}/${id}/presence?detailedTelephonyState=true`),
    ...(followsMembers ? [account] : []),
  ];
}

/** The people of a board with live events. */
export class BoardMembers {
  readonly #parts: BoardParts;
  readonly #feed: BoardFeed;
  readonly #channel: Channel<BoardUpdate>;
  readonly #outage: Outage;
  readonly #readPeople: ReturnType<typeof orWarnOnce>;
  readonly #changeFilters: ReturnType<typeof orWarnOnce>;
  #present: readonly BoardPerson[] = [];
  #watched: ReadonlySet<string>;
  #isIncomplete = false;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(
    parts: BoardParts,
    feed: BoardFeed,
    { channel, outage }: { readonly channel: Channel<BoardUpdate>; readonly outage: Outage },
  ) {
    this.#parts = parts;
    this.#feed = feed;
    this.#channel = channel;
    this.#outage = outage;
    this.#readPeople = orWarnOnce(parts);
    this.#changeFilters = orWarnOnce(parts);
    this.#watched = new Set(feed.watched.map(({ id }) => id));
  }

  /**
   * Whether the people must be read again: they could not be read, the subscription lacks some of them, or their names are
   * old.
   */
  get areDue(): boolean {
    return this.#isIncomplete || Math.abs(this.#parts.now() - this.#readAt) >= peopleMilliseconds;
  }

  get present(): readonly BoardPerson[] {
    return this.#present;
  }

  /** Returns each person in turn. */
  next(): BoardPerson | undefined {
    const [first, ...others] = this.#present;
    if (first) this.#present = [...others, first];
    return first;
  }

  /** Reads who is on the board, subscribes to their events, and reads the presence of new people. */
  async read(): Promise<void> {
    this.#readAt = this.#parts.now();
    const people = await this.#readPeople(() => this.#parts.people());
    this.#isIncomplete = people === undefined;
    if (!people) return;
    const known = new Set(this.#present.map(({ id }) => id));
    const fresh = people.filter(({ id }) => !known.has(id));
    this.#channel.push({ kind: 'people', people });
    if (people.some(({ id }) => !this.#watched.has(id))) await this.#watch(people);
    this.#present = people;
    for await (const update of readAll(this.#parts, fresh, () => Promise.resolve())) {
      this.#channel.push(update);
      this.#outage.noteInRound(update, fresh.length);
    }
  }

  async #watch(people: readonly BoardPerson[]): Promise<void> {
    const ids = new Set(people.map(({ id }) => id));
    const watched = await this.#changeFilters(async () => {
      await this.#feed.watch(boardFilters(people, this.#parts.followsMembers));
      return ids;
    });
    if (watched) this.#watched = watched;
    else this.#isIncomplete = true;
  }
}
