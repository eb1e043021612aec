import type { Context } from '../../runtime/context.ts';
import { subscriptionView } from './subscription-view.ts';

export type SubscribeListOptions = Readonly<Record<string, never>>;

/** `subscribe list` */
export async function listSubscriptions(ctx: Context): Promise<void> {
  const api = await ctx.api();
  await ctx.out.list(await api.subscriptions.list({ signal: ctx.signal }), subscriptionView);
}
