import { keepSubscriptions } from '../../features/known-values/index.ts';
import type { Context } from '../../runtime/context.ts';
import { masked } from './subscription-keys.ts';
import { subscriptionView } from './subscription-view.ts';

export interface SubscribeListOptions {
  readonly showSecrets?: boolean;
}

/** `subscribe list` */
export async function listSubscriptions(ctx: Context, { showSecrets }: SubscribeListOptions): Promise<void> {
  const api = await ctx.api();
  const all = await api.subscriptions.list({ signal: ctx.signal });
  await keepSubscriptions(ctx, all);
  await ctx.out.list(
    all.map((one) => masked(one, showSecrets)),
    subscriptionView,
  );
}
