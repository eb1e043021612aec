import type { Context } from '../../runtime/context.ts';
import { orNotFound } from './not-found.ts';
import { masked } from './subscription-keys.ts';
import { subscriptionView } from './subscription-view.ts';

export interface SubscribeShowOptions {
  readonly id: string;
  readonly showSecrets?: boolean;
}

/** `subscribe show ID` */
export async function showSubscription(ctx: Context, options: SubscribeShowOptions): Promise<void> {
  const api = await ctx.api();
  const subscription = await orNotFound(
    options.id,
    api.subscriptions.get(options.id, { signal: ctx.signal }),
  );
  await ctx.out.record(masked(subscription, options.showSecrets), subscriptionView);
}
