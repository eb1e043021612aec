import type { Database } from '../../platform/sqlite.ts';

/**
 * The words of full text that begin so, at most `most`; undefined where there are more, or where the text is not one plain word. Each word is
 * one step in an index, however many messages have it.
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
    // The first text after the word: asking for what is greater would read every message that has it.
    from = `${term}\u0001`;
  }
}
