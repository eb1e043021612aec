import { WEBHOOK_SUBSCRIPTION_SECONDS } from '../../contract/limits.ts';
import { extensionIds } from '../../features/directory/index.ts';
import { checkEvents, toFilters } from '../../features/inbox/events/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../runtime/errors.ts';
import { subscriptionView } from './subscription-view.ts';

export interface SubscribeCreateOptions {
  readonly events: readonly string[];
  readonly address: string;
  readonly extension: readonly string[];
  readonly expiresIn?: number;
}

/** `subscribe create` with the webhook transport. */
export async function createSubscription(ctx: Context, options: SubscribeCreateOptions): Promise<void> {
  const { address, events, expiresIn } = options;
  checkAddress(address);
  const lifetimeSeconds = expiresIn ?? WEBHOOK_SUBSCRIPTION_SECONDS.default;
  checkEvents(events, lifetimeSeconds);
  const api = await ctx.api();
  const extensions = await extensionIds(api, options.extension, ctx.signal);
  const { filters } = toFilters(events, { extensions, lifetimeSeconds });
  const request = {
    eventFilters: [...filters],
    deliveryMode: { transportType: 'WebHook' as const, address },
    ...(expiresIn !== undefined && { expiresIn }),
  };
  const subscription = await ctx.out
    .progress('subscribing', () => api.subscriptions.create(request, { signal: ctx.signal }))
    .catch((error: unknown) => {
      throw explained(error);
    });
  await ctx.out.record(subscription, subscriptionView);
}

function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const local = url && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && local)) return;
  throw usageError(
    `--address: "${address}" is not an https:// address`,
    'plain http is accepted for this machine only',
  );
}

function explained(error: unknown): unknown {
  if (!(error instanceof Error && error.name === 'OutcomeUnknownError')) return error;
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    'no answer came: the subscription may exist or not',
    { hint: 'look before trying again: ucctl subscribe list', cause: error },
  );
}
