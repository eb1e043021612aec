import type { Context } from '../../runtime/context.ts';
import { confirmedDeletion } from '../../runtime/confirmed-deletion.ts';
import { forEachId } from '../../runtime/for-each-id.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import { orNotFound } from './not-found.ts';
import { deleteKeys } from './subscription-keys.ts';
import { deletedRows, type DeletedRow } from './subscription.rows.ts';

export interface SubscribeDeleteOptions {
  readonly ids: readonly string[];
}

export async function deleteSubscriptions(ctx: Context, options: SubscribeDeleteOptions): Promise<void> {
  const api = await ctx.api();
  const remove = async (id: string): Promise<DeletedRow> => {
    const options = { signal: ctx.signal };
    const deletion = confirmedDeletion({
      remove: () => api.subscriptions.delete(id, options),
      read: () => api.subscriptions.get(id, options),
      hint: nextStep`to list your subscriptions: ${ucctl('subscribe list')}`,
    }).catch(async (error: unknown) => {
      if (isMissingResource(error)) await deleteKeys(ctx, id);
      throw error;
    });
    await orNotFound(id, deletion);
    await deleteKeys(ctx, id);
    return { id, status: 'deleted' };
  };
  const { done, finish } = await forEachId(ctx, options.ids, remove);
  await ctx.out.list(done, deletedRows.list);
  finish('subscription', 'deleted');
}
