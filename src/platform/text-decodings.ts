import { lookupTable } from './lookup-table.ts';

/** A decoded text, in which each character is one byte of UTF-8. */
export interface View {
  readonly text: string;
  /**
   * Returns the position of a character in the original text. For the index after the last character it is the end of
   * the original text.
   */
  at(index: number): number;
}

/** Maximum depth of nested encodings. */
const deepest = 3;
/** Maximum length of a text whose nested encodings are decoded. Longer texts are decoded only once. */
const largeCharacters = 65_536;

interface Encoding {
  readonly pattern: RegExp;
  /** Decodes a match to bytes; undefined for an invalid match. */
  readonly decode: (match: readonly string[]) => string | undefined;
}

const escapes: Readonly<Record<string, string>> = lookupTable({
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
});
const entities: Readonly<Record<string, string>> = lookupTable({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
});

const encodings: readonly Encoding[] = [
  {
    pattern: /%([0-9a-f]{2})/gi,
    decode: ([, hex = '']) => String.fromCharCode(Number.parseInt(hex, 16)),
  },
  {
    // A surrogate pair encodes one character.
    pattern: /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})|\\(["\\/bfnrt])/gi,
    decode: ([, high, low, unit, letter]) => {
      if (letter !== undefined) return escapes[letter.toLowerCase()] ?? letter;
      const units = [high, low, unit].flatMap((hex) => (hex === undefined ? [] : [Number.parseInt(hex, 16)]));
      return bytesOf(String.fromCharCode(...units));
    },
  },
  {
    pattern: /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi,
    decode: ([, hex, decimal, name]) => {
      if (name !== undefined) return entities[name.toLowerCase()];
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10_ff_ff ? bytesOf(String.fromCodePoint(code)) : undefined;
    },
  },
];

/** Returns a text, and the result of decoding its percent-encoding, JSON escapes and HTML entities in any order. */
export function decodings(text: string): readonly View[] {
  const views: View[] = [{ text, at: (index) => index }];
  const seen = new Set([text]);
  const depth = text.length > largeCharacters ? 1 : deepest;
  let latest: readonly View[] = views;
  for (let level = 0; level < depth; level += 1) {
    const next = latest.flatMap((view) => encodings.flatMap((encoding) => decoded(view, encoding) ?? []));
    latest = next.filter((view) => !seen.has(view.text) && seen.add(view.text));
    views.push(...latest);
  }
  return views;
}

function decoded(view: View, { pattern, decode }: Encoding): View | undefined {
  let text = '';
  let from = 0;
  // For each piece of the decoded text: its start in the decoded text, its start in the source text, and whether it
  // was decoded.
  const starts: number[] = [];
  const origins: number[] = [];
  const isDecoded: boolean[] = [];
  const piece = (bytes: string, origin: number, wasDecoded: boolean): void => {
    starts.push(text.length);
    origins.push(origin);
    isDecoded.push(wasDecoded);
    text += bytes;
  };
  for (const match of view.text.matchAll(pattern)) {
    const bytes = decode(match);
    if (bytes === undefined) continue;
    piece(view.text.slice(from, match.index), from, false);
    piece(bytes, match.index, true);
    from = match.index + match[0].length;
  }
  if (from === 0) return undefined;
  piece(view.text.slice(from), from, false);
  starts.push(text.length);
  origins.push(view.text.length);
  isDecoded.push(false);
  return {
    text,
    at: (index) => {
      const found = lastNotAfter(starts, index);
      const origin = origins[found] ?? 0;
      return view.at(isDecoded[found] ? origin : origin + index - (starts[found] ?? 0));
    },
  };
}

/** Index of the last of ascending numbers that does not exceed `limit`. */
function lastNotAfter(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
