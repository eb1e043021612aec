import type { BulkProgress } from './engine.ts';

const width = 24;

/** `[########----------------]  340/1000, 2 failed`: readable without colour, the same on a terminal and in a log. */
export function progressText({ done, failed, total }: BulkProgress): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * width);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
  return `${bar}  ${done}/${total}${failed > 0 ? `, ${failed} failed` : ''}`;
}
