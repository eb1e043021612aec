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

/** Wraps a safe text to `width` columns: after a space, or within a word that is wider than a line. */
export function fold(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (widthOf(rest) > width) {
    const piece = startOf(rest, width);
    const space = rest[piece.length] === ' ' ? piece.length : piece.lastIndexOf(' ');
    const [word = ''] = rest.slice(space + 1).split(' ', 1);
    const atSpace = space > 0 && (space > piece.length / 2 || widthOf(word) <= width);
    const end = atSpace ? outsideNumber(rest, withExtension(rest, space), width) : piece.length;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** Returns the position of a line break: `at`, or the start of the phone number that contains it. */
function outsideNumber(text: string, at: number, width: number): number {
  for (const { index, 0: number } of text.matchAll(groupedNumber)) {
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

/** Returns the longest start of a text that fits the width, but at least one grapheme cluster. */
function startOf(text: string, width: number): string {
  if (single.test(text)) return text.slice(0, Math.max(1, width));
  let result = '';
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    used += widthOf(segment);
    if (used > width && result !== '') break;
    result += segment;
  }
  return result;
}
