import type { Subscription } from '../../contract/subscription.ts';
import { filterWarnings } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { forEachId } from '../../runtime/for-each-id.ts';
import { orNotFound } from './not-found.ts';
import { storeKeys, masked } from './subscription-keys.ts';
import { subscriptionRows } from './subscription.rows.ts';

export interface SubscribeRenewOptions {
  readonly ids: readonly string[];
  readonly showSecrets?: boolean;
}

export async function renewSubscriptions(ctx: Context, options: SubscribeRenewOptions): Promise<void> {
  const api = await ctx.api();
  const renew = async (id: string): Promise<Subscription> => {
    const renewed = await orNotFound(id, api.subscriptions.renew(id, { signal: ctx.signal }));
    // A renewal may change any member, including the keys (SUBSCRIPTION-4).
    await storeKeys(ctx, renewed);
    for (const warning of filterWarnings(renewed.eventFilters, renewed)) ctx.out.warn(warning);
    return masked(renewed, options.showSecrets);
  };
  const { done, finish } = await forEachId(ctx, options.ids, renew);
  await ctx.out.list(done, subscriptionRows.list);
  finish('subscription', 'renewed');
}
