import { widthOf } from '../platform/text-width.ts';

/** In fewer columns nothing is gained by breaking lines at words. */
const narrowest = 30;

/** The labels of an error, whose texts stand below one another. */
const label = /^ {2}(?:need|try|request): +/u;

/** Words with the spaces before them; commands of ours are one piece each, so that they can be copied. */
const pieces = /\s*(?:ucctl(?: [^\s;,()]+)+|\S+)/gu;

// eslint-disable-next-line no-control-regex -- colours begin with the escape character.
const colors = /\u001B\[\d+m/gu;

/**
 * Breaks those lines of a finished, perhaps coloured text that are wider than the terminal: between words, and what follows hangs below.
 * What is longer than a line by itself stays whole.
 */
export function hang(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < narrowest) return text;
  return text
    .split('\n')
    .flatMap((line) => (widthOf(line) <= columns ? line : hangLine(line, columns)))
    .join('\n');
}

function hangLine(line: string, columns: number): readonly string[] {
  const plain = line.replaceAll(colors, '');
  const indent = label.exec(plain)?.[0].length ?? plain.length - plain.trimStart().length + 2;
  const lines: string[] = [];
  let current = '';
  for (const [piece] of line.matchAll(pieces)) {
    // What fits into no line is as well begun in this one.
    const fits = widthOf(piece.trimStart()) <= columns - indent;
    if (fits && current.trim() !== '' && widthOf(current + piece) > columns) {
      lines.push(current);
      current = ' '.repeat(indent) + piece.trimStart();
    } else {
      current += piece;
    }
  }
  return [...lines, current];
}
