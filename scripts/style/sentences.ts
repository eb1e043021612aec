import type { Fragment } from './fragment.ts';
import type { Finding } from './word-list.ts';

/** Maximum number of words in a sentence of a document without a warning. */
const mostWords = 30;

/** The sentences of a text. A period within an abbreviation, a number or a file name does not end a sentence. */
export function sentencesIn(text: string): readonly string[] {
  return text
    .replaceAll(/\b(e\.g|i\.e|vs|etc|approx|Ext|No)\.(?=\s)/g, '$1')
    .split(/(?<=[.!?]["')\]]?)\s+(?=["'(`[]?(?:[A-Z\d`]|ucctl\b))/)
    .filter((sentence) => /[A-Za-z]/.test(sentence));
}

/** Sentences of documents with more than 30 words; code and links count as one word. */
export function longSentences(fragments: readonly Fragment[]): readonly Finding[] {
  return fragments
    .filter(({ kind }) => kind === 'prose')
    .flatMap(({ file, line, text }) =>
      sentencesIn(text.replaceAll(/`[^`]*`|\[[^\]]*\]\([^)]*\)/g, 'Code')).flatMap((sentence) => {
        const count = sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;
        if (count <= mostWords) return [];
        return [
          { file, line, text: `"${sentence.slice(0, 60)}…"`, use: `${count} words: split the sentence` },
        ];
      }),
    );
}
