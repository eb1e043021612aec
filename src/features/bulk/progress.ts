import type { BulkProgress } from './bulk-work.ts';

const width = 24;

/**
 * Formats progress as `[########----------------]  340/1000, 2 failed`, which is readable without color, in a terminal
 * and in a log.
 */
export function progressText({ done, failed, total }: BulkProgress): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * width);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
  return `${bar}  ${done}/${total}${failed > 0 ? `, ${failed} failed` : ''}`;
}
