import { deleteExpired, expiredData, openCompliance } from '../../features/mirror/postgres/index.ts';
import { deleteUnusedMedia } from '../../features/mirror/index.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { expiredRows } from './retention.rows.ts';

/** `store expire`: shows the expired data, asks for confirmation, and deletes the data. */
export async function expire(ctx: Context): Promise<void> {
  const { db, archive } = await openCompliance(ctx, 'change');
  const due = await expiredData(db);
  const total = due.reduce((sum, { items }) => sum + items, 0);
  for (const { type, before, items, attachments, onHold } of due)
    ctx.out.preview(
      `${type}: ${counted(items, 'item')} from before ${before}, ${counted(attachments, 'attachment')}; ${onHold} retained by legal holds`,
    );
  const deleted = !ctx.dryRun;
  if (deleted && total > 0)
    await requireConfirmation(ctx, 'Delete this data permanently?', 'nothing was deleted');
  const rows = [];
  for (const data of due) {
    const done = deleted ? await deleteExpired(db, data, new Date(ctx.now()).toISOString()) : data;
    if (done) rows.push(Object.assign({}, done, { deleted }));
    else
      ctx.out.warn(
        `${data.type}: nothing was deleted, because the retention rule has changed since the preview`,
      );
  }
  if (deleted) await deleteUnusedMedia(ctx, archive);
  await ctx.out.list(rows, expiredRows.list);
}
