import type { Context, SearchChoice } from '../../runtime/context.ts';
import { choicesOf } from './lines.ts';

/** Reads and caches the subscriptions of the application. */
export async function subscriptionChoices(
  ctx: Context,
  signal: AbortSignal,
): Promise<readonly SearchChoice[]> {
  const api = await ctx.api();
  const all = await api.subscriptions.list({ signal });
  const { cacheSubscriptions } = await import('../../features/known-values/index.ts');
  await cacheSubscriptions(ctx, all);
  return choicesOf(
    all.map(({ id, status, deliveryMode, eventFilters }) => ({
      value: id,
      cells: [
        id,
        status,
        deliveryMode.transportType,
        eventFilters.map((one) => one.split('~/').at(-1)).join(' '),
      ],
    })),
  );
}
