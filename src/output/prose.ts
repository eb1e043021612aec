import { safe } from '../platform/terminal-text.ts';
import { fold } from '../platform/text-width.ts';
import type { Paragraph } from '../runtime/output.ts';
import { isolateRuns } from '../platform/isolate.ts';
import type { Surface } from './renderer.ts';

/** Wraps paragraphs to the width of the terminal. */
export function drawProse(
  paragraphs: readonly Paragraph[],
  { columns, paint }: Pick<Surface, 'columns' | 'paint'>,
): string {
  const lines = paragraphs.flatMap(({ text, indent = 0, style }) => {
    const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(1, columns - indent);
    return text
      .split('\n')
      .flatMap((line) => fold(safe(line), room))
      .map((line) => {
        const shown = isolateRuns(line);
        return `${' '.repeat(indent)}${style ? paint(style, shown) : shown}`.trimEnd();
      });
  });
  return lines.map((line) => `${line}\n`).join('');
}
