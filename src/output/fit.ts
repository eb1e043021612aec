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
