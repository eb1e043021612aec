import type { Context } from '../../runtime/context.ts';
import { forEachId } from '../../runtime/for-each-id.ts';
import type { View } from '../../runtime/output.ts';
import { orNotFound } from './not-found.ts';
import { forgetKeys } from './subscription-keys.ts';

export interface SubscribeDeleteOptions {
  readonly ids: readonly string[];
}

interface Deleted {
  readonly id: string;
  readonly status: 'deleted';
}

const view: View<Deleted> = {
  columns: [
    { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status },
  ],
};

/** `subscribe delete ID...` */
export async function deleteSubscriptions(ctx: Context, options: SubscribeDeleteOptions): Promise<void> {
  const api = await ctx.api();
  const remove = async (id: string): Promise<Deleted> => {
    await orNotFound(id, api.subscriptions.delete(id, { signal: ctx.signal }));
    await forgetKeys(ctx, id);
    return { id, status: 'deleted' };
  };
  const { done, finish } = await forEachId(ctx, options.ids, remove);
  await ctx.out.list(done, view);
  finish('deleted');
}
