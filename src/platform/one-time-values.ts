import { randomUUID } from 'node:crypto';

interface Stored<T> {
  readonly value: T;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Time in milliseconds within which a value can be taken. */
const lifetime = 10 * 60_000;
/** Maximum number of stored values. */
const mostValues = 100;

/** Values that can be taken once, within ten minutes, such as previewed changes. The oldest of more than 100 is dropped. */
export class OneTimeValues<T> {
  readonly #values = new Map<string, Stored<T>>();
  readonly #now: () => number;
  readonly #prefix: string;

  /**
   * @param now returns the time in milliseconds since 1970
   * @param prefix of each ID
   */
  constructor(now: () => number, prefix = '') {
    this.#now = now;
    this.#prefix = prefix;
  }

  /** Stores a value and returns its ID. */
  add(value: T): string {
    const id = `${this.#prefix}${randomUUID()}`;
    this.#values.set(id, { value, expiresAt: this.#now() + lifetime });
    const [oldest] = this.#values.keys();
    if (this.#values.size > mostValues && oldest !== undefined) this.#values.delete(oldest);
    return id;
  }

  /**
   * Removes a value and returns it; undefined if it is unknown, was taken or has expired. A value that `isWanted` rejects
   * stays stored.
   */
  take(id: string, isWanted: (value: T) => boolean = () => true): T | undefined {
    const stored = this.#values.get(id);
    if (!stored || !isWanted(stored.value)) return undefined;
    this.#values.delete(id);
    return stored.expiresAt > this.#now() ? stored.value : undefined;
  }
}
