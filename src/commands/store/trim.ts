import { openCompliance } from '../../features/mirror/postgres/index.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { notFoundError } from '../../errors/command.ts';
import { daysIn } from './age.ts';
import { trimRows } from './retention.rows.ts';
import { shellWord } from '../../platform/shell-quoted.ts';

export interface TrimOptions {
  readonly olderThan: string;
  readonly forget: readonly string[];
}

/**
 * `store trim`: shows the number of old changes that all readers have read, asks for confirmation, and deletes these
 * changes.
 */
export async function trim(ctx: Context, { olderThan, forget }: TrimOptions): Promise<void> {
  const days = daysIn(olderThan, '--older-than');
  const { db } = await openCompliance(ctx, 'change');
  const { feedReaders, trimFeed } = await import('../../store/index.ts');
  const readers = await feedReaders(db);
  const unknown = forget.find((name) => !readers.some((reader) => reader.name === name));
  if (unknown !== undefined) {
    const names = readers.map(({ name }) => name).join(', ');
    throw notFoundError(
      `reader "${unknown}" not found`,
      names === '' ? 'omit --forget: the change feed has no readers' : `use one of: ${names}`,
    );
  }
  for (const { name, behind, readAt } of readers)
    ctx.out.preview(`reader ${name}: ${counted(behind, 'unread change')}, last seen ${readAt.toISOString()}`);
  const plan = await trimFeed(db, { days, forget, dryRun: true });
  ctx.out.preview(`${counted(plan.deleted, 'change')} to delete, ${plan.remaining} remain`);
  const isChange = !ctx.dryRun && plan.deleted + forget.length > 0;
  if (isChange) await requireConfirmation(ctx, 'Delete these changes?', 'nothing was deleted');
  const report = isChange ? await trimFeed(db, { days, forget, dryRun: false }) : plan;
  if (report.blockedBy !== undefined)
    ctx.out.note(
      `Some old changes are not deleted, because reader ${report.blockedBy} has not read them. If this reader no longer exists, use --forget ${shellWord(report.blockedBy)}.`,
    );
  await ctx.out.record({ trimmed: isChange, ...report }, trimRows.record);
}
