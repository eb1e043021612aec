import type { System } from '../runtime/system.ts';
import { isAccessible } from './motion.ts';

/**
 * Returns whether a text is too long for the terminal and a pager may show it. CI, screen readers and terminals without
 * cursor control get no pager.
 */
export function needsPager(text: string, { stdout, env }: Pick<System, 'stdout' | 'env'>): boolean {
  const { isTerminal, rows, columns = 80 } = stdout;
  if (!isTerminal || rows === undefined || env['CI'] || env['TERM'] === 'dumb' || isAccessible({ env }))
    return false;
  const lines = text.trimEnd().split('\n');
  const height = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
  // The prompt of the shell needs one line.
  return height >= rows;
}
