import type { Subscription } from '../../contract/subscription.ts';
import type { Context } from '../../runtime/context.ts';
import { forEachId } from './each.ts';
import { orNotFound } from './not-found.ts';
import { subscriptionView } from './subscription-view.ts';

export interface SubscribeRenewOptions {
  readonly ids: readonly string[];
}

/** `subscribe renew ID...` */
export async function renewSubscriptions(ctx: Context, options: SubscribeRenewOptions): Promise<void> {
  const api = await ctx.api();
  const renew = (id: string): Promise<Subscription> =>
    orNotFound(id, api.subscriptions.renew(id, { signal: ctx.signal }));
  const { done, finish } = await forEachId(ctx, options.ids, renew);
  await ctx.out.list(done, subscriptionView);
  finish('renewed');
}
