/** Number of bytes by which the search finds candidates, and minimum length of a text that it finds. */
const keyBytes = 4;

/** Every byte as the search compares it: see `fold`. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) => foldByte(byte));

function foldByte(byte: number): number {
  const letter = String.fromCharCode(byte).toLowerCase();
  return { '+': 0x20, '-': 0x20, _: 0x2f }[letter] ?? letter.charCodeAt(0);
}

/**
 * Converts a text of bytes for comparison: letters to lower case, `+` and `-` to a space, and `_` to `/`. So one
 * comparison finds a text in any case, in form encoding and in both base64 alphabets. The length does not change.
 */
export function fold(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'latin1');
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = folded[bytes[index] ?? 0] ?? 0;
  return bytes;
}

/** A place at which at least `least` bytes of a text match. */
interface Probe<T> {
  readonly text: Uint8Array;
  readonly least: number;
  readonly isEnd: boolean;
  readonly value: T;
}

/** A match of a text in a searched text, as byte positions. `end` is exclusive. */
export interface Match<T> {
  readonly value: T;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds many texts in a text. Reads the text once, whatever the number of texts to find, so that masking a large body
 * stays fast.
 */
export class TextSearch<T> {
  readonly #probes = new Map<number, Probe<T>[]>();
  /** Whether a probe may start with a key, by a hash of the key. Excludes almost all positions without a lookup. */
  readonly #mayStart = new Uint8Array(0x1_00_00);

  /**
   * Adds a folded text of at least 4 bytes. Finds it also if only `edge` bytes or more of its beginning or of its end
   * are present; with the length of the text as `edge`, only the whole text.
   */
  add(text: Uint8Array, edge: number, value: T): void {
    this.#store({ text, least: edge, isEnd: false, value }, keyAt(text, 0));
    if (edge < text.length)
      this.#store({ text, least: edge, isEnd: true, value }, keyAt(text, text.length - edge));
  }

  /** Returns the matches in a folded text. Matches can overlap. */
  matches(hay: Uint8Array): readonly Match<T>[] {
    const found: Match<T>[] = [];
    let key = 0;
    for (let index = 0; index < hay.length; index += 1) {
      key = (key << 8) | (hay[index] ?? 0);
      if (index < keyBytes - 1 || this.#mayStart[hash(key)] === 0) continue;
      const start = index - keyBytes + 1;
      for (const probe of this.#probes.get(key) ?? []) {
        const match = probe.isEnd ? endMatch(hay, start, probe) : startMatch(hay, start, probe);
        if (match) found.push(match);
      }
    }
    return found;
  }

  #store(probe: Probe<T>, key: number): void {
    const same = this.#probes.get(key);
    if (same) same.push(probe);
    else this.#probes.set(key, [probe]);
    this.#mayStart[hash(key)] = 1;
  }
}

function startMatch<T>(hay: Uint8Array, start: number, { text, least, value }: Probe<T>) {
  let length = 0;
  while (length < text.length && hay[start + length] === text[length]) length += 1;
  return length < least ? undefined : { value, start, end: start + length };
}

function endMatch<T>(hay: Uint8Array, at: number, { text, least, value }: Probe<T>) {
  const offset = text.length - least;
  for (let index = 0; index < least; index += 1)
    if (hay[at + index] !== text[offset + index]) return undefined;
  let before = 0;
  while (before < offset && hay[at - before - 1] === text[offset - before - 1]) before += 1;
  return { value, start: at - before, end: at + least };
}

function keyAt(text: Uint8Array, start: number): number {
  let key = 0;
  for (let index = start; index < start + keyBytes; index += 1) key = (key << 8) | (text[index] ?? 0);
  return key;
}

function hash(key: number): number {
  return Math.imul(key, 0x9e_37_79_b1) >>> 16;
}
