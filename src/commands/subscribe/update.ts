import { extensionIds } from '../../features/directory/index.ts';
import { checkEvents, toFilters } from '../../features/live/notification/index.ts';
import { filterWarnings } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { orNotFound } from './not-found.ts';
import { keepKeys, masked } from './subscription-keys.ts';
import { subscriptionView } from './subscription-view.ts';

export interface SubscribeUpdateOptions {
  readonly id: string;
  readonly events: readonly string[];
  readonly extension: readonly string[];
  readonly expiresIn?: number;
  readonly showSecrets?: boolean;
}

/** `subscribe update ID`: other filters, another life; renews it in any case. */
export async function updateSubscription(ctx: Context, options: SubscribeUpdateOptions): Promise<void> {
  const { id, events, extension, expiresIn } = options;
  if (events.length === 0 && extension.length > 0) throw usageError('--extension goes with --events');
  if (events.length > 0) checkEvents(events, expiresIn);
  const api = await ctx.api();
  const { signal } = ctx;
  const before = await orNotFound(id, api.subscriptions.get(id, { signal }));
  const lifetimeSeconds = expiresIn ?? lifetimeOf(before);
  if (events.length > 0) checkEvents(events, lifetimeSeconds);
  const extensions = await extensionIds(api, extension, signal);
  const eventFilters =
    events.length > 0 ? toFilters(events, { extensions, lifetimeSeconds }).filters : undefined;
  const changed = await orNotFound(
    id,
    api.subscriptions.update(
      id,
      {
        // Another life goes with the filters that are in effect: a body without them is rejected by later versions of the interface.
        ...((eventFilters ?? expiresIn) !== undefined && {
          eventFilters: [...(eventFilters ?? before.eventFilters)],
        }),
        ...(expiresIn !== undefined && { expiresIn }),
      },
      { signal },
    ),
  );
  await keepKeys(ctx, changed);
  for (const warning of filterWarnings(eventFilters ?? before.eventFilters, changed)) ctx.out.warn(warning);
  await ctx.out.record(masked(changed, options.showSecrets), subscriptionView);
}

/** Seconds from its last renewal to its end are not told; those from its creation are no less. */
function lifetimeOf({ creationTime, expirationTime }: { creationTime: string; expirationTime: string }) {
  const seconds = (Date.parse(expirationTime) - Date.parse(creationTime)) / 1000;
  return Number.isFinite(seconds) ? seconds : undefined;
}
