import { extensionIds } from '../../features/directory/index.ts';
import { checkEvents, toFilters } from '../../features/live/notification/index.ts';
import { allFilters, filterWarnings } from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { ApiError } from '../../errors/service.ts';
import type { Subscription } from '../../contract/subscription.ts';
import { orNotFound } from './not-found.ts';
import { storeKeys, masked } from './subscription-keys.ts';
import { subscriptionRows } from './subscription.rows.ts';

export interface SubscribeUpdateOptions {
  readonly id: string;
  readonly events: readonly string[];
  readonly extension: readonly string[];
  readonly expiresIn?: number;
  readonly showSecrets?: boolean;
}

/** `subscribe update ID`: changes the filters or the lifetime, or only renews the subscription if neither is given. */
export async function updateSubscription(ctx: Context, options: SubscribeUpdateOptions): Promise<void> {
  const { id, events, extension, expiresIn } = options;
  if (events.length === 0 && extension.length > 0)
    throw usageError('--extension can be used only with --events', 'add --events, or omit --extension');
  if (events.length > 0) checkEvents(events, expiresIn, options);
  const api = await ctx.api();
  const { signal } = ctx;
  const before = await orNotFound(id, api.subscriptions.get(id, { signal }));
  const lifetimeSeconds = expiresIn ?? lifetimeOf(before);
  if (events.length > 0) checkEvents(events, lifetimeSeconds, options);
  const extensions = await extensionIds(api, extension, signal);
  const eventFilters =
    events.length > 0 ? toFilters(events, { extensions, lifetimeSeconds }).filters : undefined;
  const requested = eventFilters ?? allFilters(before);
  const changes = {
    // A new lifetime is sent with the current filters: later versions of the interface reject a body without filters.
    ...((eventFilters ?? expiresIn) !== undefined && { eventFilters: [...requested] }),
    ...(expiresIn !== undefined && { expiresIn }),
  };
  const changed = await orNotFound(id, api.subscriptions.update(id, changes, { signal })).catch(
    (error: unknown) => {
      if (eventFilters === undefined) warnOfDisabled(ctx, before, error);
      throw error;
    },
  );
  await storeKeys(ctx, changed);
  for (const warning of filterWarnings(requested, changed)) ctx.out.warn(warning);
  await ctx.out.record(masked(changed, options.showSecrets), subscriptionRows.record);
}

/** Warns about the disabled filters if the service rejects a filter (SUB-4xx). */
function warnOfDisabled(ctx: Context, { id, disabledFilters = [] }: Subscription, error: unknown): void {
  if (disabledFilters.length === 0 || !(error instanceof ApiError)) return;
  const codes = [error.code, ...error.errors.map(({ errorCode }) => errorCode ?? '')];
  if (!codes.some((code) => code.startsWith('SUB-4'))) return;
  const filters = disabledFilters.map(({ filter }) => filter).join(', ');
  const update = ucctl`subscribe update ${id} --events EVENTS`;
  ctx.out.warn(
    nextStep`the service has disabled ${filters}; to change the subscription without it, name all other events: ${update}`,
  );
}

/**
 * Lifetime in seconds, counted from the creation: the service does not report the last renewal. The result is an upper
 * bound of the real lifetime.
 */
function lifetimeOf({ creationTime, expirationTime }: { creationTime: string; expirationTime: string }) {
  const seconds = (Date.parse(expirationTime) - Date.parse(creationTime)) / 1000;
  return Number.isFinite(seconds) ? seconds : undefined;
}
