import type { Context } from '../../runtime/context.ts';
import { orNotFound } from './not-found.ts';
import { masked } from './subscription-keys.ts';
import { subscriptionRows } from './subscription.rows.ts';

export interface SubscribeShowOptions {
  readonly id: string;
  readonly showSecrets?: boolean;
}

export async function showSubscription(ctx: Context, options: SubscribeShowOptions): Promise<void> {
  const api = await ctx.api();
  const subscription = await orNotFound(
    options.id,
    api.subscriptions.get(options.id, { signal: ctx.signal }),
  );
  await ctx.out.record(masked(subscription, options.showSecrets), subscriptionRows.record);
}
