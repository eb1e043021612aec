import { widthOf } from '../platform/text-width.ts';

/** Width in columns: narrower terminals wrap the lines themselves. */
const narrowest = 30;

/** The labels of an error; their texts are aligned. */
const label = /^ {2}(?:need|try|request): +/u;

/**
 * Words with the spaces before them. A ucctl command, `-o FORMAT` and an `export` of a shell are one piece, so that they
 * can be copied.
 */
const pieces = /\s*(?:ucctl(?: [^\s;,()]+)+|-o \S+|export \w+=\S+|\S+)/gu;

/** A word of a sentence, which shows that a piece is more than a command. */
const sentenceWord = / (?:a|an|and|before|for|in|is|of|or|the|to|with) /u;

// eslint-disable-next-line no-control-regex -- colors begin with the escape character.
const colors = /\u001B\[\d+m/gu;

/**
 * Breaks lines that are wider than the terminal between words, with a hanging indent. The text may be colored. A word
 * that is longer than a line stays whole.
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
  for (const piece of piecesOf(line, columns)) {
    if (current.trim() !== '' && widthOf(current + piece) > columns) {
      lines.push(current);
      // A command or an address that is too long for an indented line starts in the first column, so that it can be copied.
      const fits = widthOf(piece.trimStart()) <= columns - indent;
      current = (fits ? ' '.repeat(indent) : '') + piece.trimStart();
    } else {
      current += piece;
    }
  }
  return [...lines, current];
}

/** Returns the pieces of a line. A sentence that follows `ucctl` and does not fit one line is not one piece. */
function piecesOf(line: string, columns: number): readonly string[] {
  return [...line.matchAll(pieces)].flatMap(([piece]) =>
    widthOf(piece.trimStart()) > columns && sentenceWord.test(piece)
      ? (piece.match(/\s*\S+/gu) ?? [piece])
      : [piece],
  );
}
