import { cacheSubscriptions } from '../../features/known-values/index.ts';
import type { Context } from '../../runtime/context.ts';
import { masked } from './subscription-keys.ts';
import { subscriptionRows } from './subscription.rows.ts';

export interface SubscribeListOptions {
  readonly showSecrets?: boolean;
}

export async function listSubscriptions(ctx: Context, { showSecrets }: SubscribeListOptions): Promise<void> {
  const api = await ctx.api();
  const all = await api.subscriptions.list({ signal: ctx.signal });
  await cacheSubscriptions(ctx, all);
  await ctx.out.list(
    all.map((one) => masked(one, showSecrets)),
    subscriptionRows.list,
  );
}
