/** Seeded randomness: the same seed produces the same values (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number | string) {
    this.#state = typeof seed === 'number' ? seed | 0 : hashOf(seed);
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** True with this probability. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** A value from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(values: readonly [T, ...T[]] | readonly T[]): T {
    const value = values[this.integer(0, values.length - 1)];
    if (value === undefined) throw new RangeError('nothing to pick from');
    return value;
  }

  shuffled<T>(values: readonly T[]): readonly T[] {
    const keyed = values.map((value) => ({ value, at: this.next() }));
    return keyed.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
  }
}

/** FNV-1a, so that a name can be a seed. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
