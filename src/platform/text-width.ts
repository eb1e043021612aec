import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter();

// Text that takes one column a character, `…` of a cut included.
const single = /^[ -~…]*$/;

/** Columns that a safe text takes on a terminal. */
export function widthOf(text: string): number {
  return single.test(text) ? text.length : stringWidth(text);
}

/** Cuts a safe text to `width` columns, at a character as people see it, ending in `…`. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (single.test(text)) return `${text.slice(0, Math.max(0, width - 1))}…`;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const next = used + widthOf(segment);
    if (next > width - 1) break;
    kept += segment;
    used = next;
  }
  return `${kept}…`;
}

/** A safe text in lines of at most `width` columns: broken after a space, within a word only where that is wider. */
export function fold(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (widthOf(rest) > width) {
    const piece = startOf(rest, width);
    const space = rest[piece.length] === ' ' ? piece.length : piece.lastIndexOf(' ');
    const [word = ''] = rest.slice(space + 1).split(' ', 1);
    const atSpace = space > 0 && (space > piece.length / 2 || widthOf(word) <= width);
    const end = atSpace ? space : piece.length;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** As much of the beginning as fits, at least one character as people see it. */
function startOf(text: string, width: number): string {
  if (single.test(text)) return text.slice(0, Math.max(1, width));
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment);
    if (used > width && kept !== '') break;
    kept += segment;
  }
  return kept;
}
