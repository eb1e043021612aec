import { channelSubscriptionSeconds, webhookSubscriptionSeconds } from '../../contract/limits.ts';
import { extensionIds } from '../../features/directory/index.ts';
import { checkEvents, toFilters } from '../../features/live/notification/index.ts';
import { channelTransportType, filterWarnings, openSubscription } from '../../features/live/index.ts';
import { isLoopback } from '../../platform/base-url.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { OutcomeUnknownError } from '../../errors/service.ts';
import { keepKeys, masked } from './subscription-keys.ts';
import { subscriptionView } from './subscription-view.ts';

export interface SubscribeCreateOptions {
  readonly events: readonly string[];
  readonly transport: 'webhook' | 'channel';
  readonly address?: string;
  readonly extension: readonly string[];
  readonly expiresIn?: number;
  readonly encrypt?: boolean;
  readonly showSecrets?: boolean;
}

/** `subscribe create` */
export async function createSubscription(ctx: Context, options: SubscribeCreateOptions): Promise<void> {
  const { events, expiresIn } = options;
  const deliveryMode = deliveryModeOf(ctx, options);
  const lifetimeSeconds = lifetimeOf(options);
  checkEvents(events, lifetimeSeconds);
  const api = await ctx.api();
  const extensions = await extensionIds(api, options.extension, ctx.signal);
  const { filters } = toFilters(events, { extensions, lifetimeSeconds });
  const request = {
    eventFilters: [...filters],
    deliveryMode,
    ...(expiresIn !== undefined && { expiresIn }),
  };
  const subscription = await ctx.out
    .progress('subscribing', () => openSubscription(api, request, ctx.signal, { addressIsOurs: false }))
    .catch((error: unknown) => {
      throw explained(error, options.address);
    });
  await keepKeys(ctx, subscription);
  for (const warning of filterWarnings(filters, subscription)) ctx.out.warn(warning);
  await ctx.out.record(masked(subscription, options.showSecrets), subscriptionView);
}

function deliveryModeOf(ctx: Context, { transport, address, encrypt }: SubscribeCreateOptions) {
  const encryption = encrypt && { encryption: true };
  if (transport === 'channel') {
    if (address !== undefined) throw usageError('--address goes with --transport webhook only');
    return { transportType: channelTransportType(ctx), ...encryption };
  }
  if (address === undefined) throw usageError('--address URL is missing', 'or use --transport channel');
  checkAddress(address);
  return { transportType: 'WebHook' as const, address, ...encryption };
}

/** Seconds that it will live, as far as that is known before. @throws {CommandError} for more than the transport allows. */
function lifetimeOf({ transport, expiresIn }: SubscribeCreateOptions): number {
  const limits = transport === 'channel' ? channelSubscriptionSeconds : webhookSubscriptionSeconds;
  if (expiresIn === undefined) return limits.default;
  if (expiresIn > limits.max)
    throw usageError(`--expires-in: a ${transport} subscription lives at most ${limits.max} s`);
  return expiresIn;
}

function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return;
  throw usageError(
    `--address: "${address}" is not an https:// address`,
    'plain http is accepted for this machine only',
  );
}

function explained(error: unknown, address: string | undefined): unknown {
  // A receiver of the user's own, where a listener would name its flags.
  if (error instanceof CommandError && error.code === 'address_refused')
    return new CommandError(error.code, error.exit, error.message, {
      hint: nextStep`it must pass the handshake; measure it: ${ucctl(`webhook check ${address}`)}`,
      cause: error.cause,
    });
  if (!(error instanceof OutcomeUnknownError)) return error;
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `${error.why}: the subscription may exist or not`,
    { hint: nextStep`look before trying again: ${ucctl('subscribe list')}`, cause: error },
  );
}
