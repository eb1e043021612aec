import { usageError } from '../../errors/command.ts';
import type { Context } from '../../runtime/context.ts';
import type { ResourceKind } from './change.ts';

/**
 * Checks that the dialect has the operations for a run that was made earlier. All kinds of settings belong to dialect
 * `current`.
 * @throws {CommandError} `usage` (exit 2) in dialect `spec`
 */
export function requireDialectOfRun(
  { settings: { dialect } }: Pick<Context, 'settings'>,
  { what }: Pick<ResourceKind, 'what'>,
  run: string,
): void {
  if (dialect.value === 'current') return;
  throw usageError(
    `run ${run}, a ${what}, is not available in dialect ${dialect.value}`,
    'nothing was sent; use the dialect of the run: --dialect current',
  );
}
