import { parseSync } from 'rolldown/utils';

/** Lines of TypeScript: a line with code and a comment counts as code. */
export interface LineCounts {
  readonly code: number;
  readonly comment: number;
  readonly blank: number;
}

/** Counts the lines of a file. */
export function countLines(file: string, source: string): LineCounts {
  const lines = source.replace(/\n$/, '').split('\n');
  const blank = lines.filter((line) => line.trim() === '').length;
  // Comments keep their line breaks, so that the lines of both texts correspond.
  const { comments } = parseSync(file, source);
  let code = source;
  for (const { start, end } of comments) {
    const spaces = code.slice(start, end).replaceAll(/[^\n]/g, ' ');
    code = code.slice(0, start) + spaces + code.slice(end);
  }
  const ofCode = code.split('\n').filter((line) => line.trim() !== '').length;
  return { code: ofCode, comment: lines.length - blank - ofCode, blank };
}
