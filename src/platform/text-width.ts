import stringWidth from 'string-width';

let segmenter: Intl.Segmenter | undefined;

/** Divides a text into grapheme clusters. The segmenter is created at its first use, because this takes several milliseconds. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

// Characters of one column each, including the `…` of truncated text.
const single = /^[ -~…]*$/;

/** Width of a safe text on a terminal, in columns. */
export function widthOf(text: string): number {
  return single.test(text) ? text.length : stringWidth(text);
}

/** Pads a safe text with spaces to `width` columns. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Truncates a safe text to `width` columns between grapheme clusters, with a final `…`. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (single.test(text)) return `${text.slice(0, Math.max(0, width - 1))}…`;
  let result = '';
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    const next = used + widthOf(segment);
    if (next > width - 1) break;
    result += segment;
    used = next;
  }
  return `${result}…`;
}

/**
 * A phone number with grouped digits and an optional opening bracket before it. Lines are not broken within the number.
 */
const groupedNumber = /\(?\+1 \d{3} \d{3} \d{4}/g;

/** Maximum number of characters of a match of `groupedNumber`. */
const numberLength = 16;

/**
 * Wraps a safe text to `width` columns: after a space, or within a word that is wider than a line. Each line reads only
 * the start of the rest, so that the time grows with the length of the text.
 */
export function fold(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  for (;;) {
    const piece = startOf(rest, width);
    if (piece.length === rest.length) break;
    const space = rest[piece.length] === ' ' ? piece.length : piece.lastIndexOf(' ');
    const atSpace = space > 0 && (space > piece.length / 2 || startsWithWord(rest.slice(space + 1), width));
    const end = atSpace ? outsideNumber(rest, withExtension(rest, space), width) : piece.length;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** Whether the first word of a text fits the width. */
function startsWithWord(text: string, width: number): boolean {
  const { length } = startOf(text, width);
  return length === text.length || text.slice(0, length + 1).includes(' ');
}

/** Returns the position of a line break: `at`, or the start of the phone number that contains it. */
function outsideNumber(text: string, at: number, width: number): number {
  for (const { index, 0: number } of text.slice(0, at + numberLength).matchAll(groupedNumber)) {
    if (index >= at) return at;
    if (index > 0 && at < index + number.length && number.length < width) return index;
  }
  return at;
}

/** Returns the position of a line break: `at`, or the word before it if an extension number in brackets follows. */
function withExtension(text: string, at: number): number {
  if (!/^ ?\(\d+\)/u.test(text.slice(at))) return at;
  const before = text.lastIndexOf(' ', at - 1);
  return before > 0 ? before : at;
}

/** Number of UTF-16 code units in the longest emoji of several characters, rounded up. */
const longestEmoji = 32;

/** Returns the longest start of a text that fits the width, but at least one grapheme cluster. */
function startOf(text: string, width: number): string {
  // A combining character may follow the characters of one column each.
  const most = Math.max(1, width);
  if (single.test(text.slice(0, most + 1))) return text.slice(0, most);
  // Only the beginning of a long text is segmented. It is longer if its clusters have many characters.
  for (let length = 4 * most + longestEmoji; length < text.length; length *= 2) {
    const start = startWithin(text.slice(0, length), width, true);
    if (start !== undefined) return start;
  }
  return startWithin(text, width, false) ?? text;
}

/**
 * Returns the start of a text that fits the width; undefined if the whole text fits.
 * @param isCut whether the last cluster may be incomplete. The result is also undefined if it could depend on this
 * cluster.
 */
function startWithin(text: string, width: number, isCut: boolean): string | undefined {
  let used = 0;
  for (const { segment, index } of graphemesOf(text)) {
    used += widthOf(segment);
    if (used <= width || index === 0) continue;
    const isOpen = isCut && index + segment.length > text.length - longestEmoji;
    return isOpen ? undefined : text.slice(0, index);
  }
  return undefined;
}
