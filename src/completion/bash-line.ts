/** A bash command line up to the cursor, split into words. */
export interface BashLine {
  /** Words before the word at the cursor, without quotes. */
  readonly before: readonly string[];
  readonly current: string;
  /** The open quotation mark at the cursor. */
  readonly quote: '"' | "'" | undefined;
}

/** Splits a line into words as bash does, by blanks, quotes and backslashes. */
export function splitBashLine(line: string): BashLine {
  const before: string[] = [];
  let current = '';
  let quote: BashLine['quote'];
  let inWord = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (quote === undefined && /\s/.test(letter)) {
      if (inWord) before.push(current);
      current = '';
      inWord = false;
      continue;
    }
    inWord = true;
    if (letter === '\\' && quote !== "'") {
      at += 1;
      current += line[at] ?? '';
    } else if (letter === quote) quote = undefined;
    else if (quote === undefined && (letter === '"' || letter === "'")) quote = letter;
    else current += letter;
  }
  return { before, current, quote };
}

/**
 * Returns a candidate in the form that bash inserts. Outside of quotes bash replaces only the text after the last `=`
 * or `:`, or the last `@` and the text after it (COMP_WORDBREAKS). Special characters must be escaped. All of them are ASCII.
 */
export function forBash(value: string, { current, quote }: BashLine): string {
  if (quote === "'") return value.replaceAll("'", String.raw`'\''`);
  if (quote === '"') return value.replaceAll(/["$`\\]/g, String.raw`\$&`);
  const after = Math.max(current.lastIndexOf('='), current.lastIndexOf(':')) + 1;
  const start = Math.max(after, current.lastIndexOf('@'));
  return value.slice(start).replaceAll(/[^\w@%+=:,./~\u{80}-\u{10ffff}-]/gu, String.raw`\$&`);
}
