import type { Database } from '../../platform/sqlite.ts';

/**
 * Returns the words of the full-text index that start with `text`. Undefined if there are more than `most` words, or if
 * the text is not a single plain word. Each word takes one index lookup, regardless of the number of messages that
 * contain it.
 */
export function wordsBeginning(db: Database, text: string, most: number): readonly string[] | undefined {
  const [, plain] = /^\+?([a-z0-9]+)$/i.exec(text) ?? [];
  if (plain === undefined) return undefined;
  const beginning = plain.toLowerCase();
  const next = db.prepare('SELECT term FROM message_terms WHERE term >= ? LIMIT 1');
  const words: string[] = [];
  let from = beginning;
  for (;;) {
    const term = (next.get(from) as { readonly term: string } | undefined)?.term;
    if (term === undefined || !term.startsWith(beginning)) return words;
    if (words.length === most) return undefined;
    words.push(term);
    // The smallest text that follows the word in the order of the index. A comparison with `>` is not used,
    // because it would read every message with
    // the word.
    from = `${term}\u0001`;
  }
}
