import { WEBHOOK_SUBSCRIPTION_SECONDS } from '../../contract/limits.ts';
import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { toFilters } from '../../features/events/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, lookupError, usageError } from '../../runtime/errors.ts';
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

function checkEvents(events: readonly string[], lifetimeSeconds: number): void {
  const { filters, problems } = toFilters(events, { extensions: ['~'], lifetimeSeconds });
  if (problems.length > 0) throw usageError('these events cannot be subscribed to', undefined, problems);
  if (filters.length === 0) throw usageError('--events names no event');
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

async function extensionIds(
  api: Client,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly Id[]> {
  if (names.length === 0) return ['~'];
  const directory = openDirectory(api, signal);
  const ids: Id[] = [];
  for (const name of names) {
    const lookup = name === '~' ? { found: { id: '~' } } : await directory.extension(name);
    if (!lookup.found) throw lookupError(lookup);
    ids.push(lookup.found.id);
  }
  return ids;
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
