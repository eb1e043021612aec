import { channelSubscriptionSeconds, webhookSubscriptionSeconds } from '../../contract/limits.ts';
import { extensionIds } from '../../features/directory/index.ts';
import { checkEvents, toFilters } from '../../features/live/notification/index.ts';
import {
  AddressRejectedError,
  channelTransportType,
  duplicateWarnings,
  encryptionWarnings,
  filterWarnings,
  liveTransportOf,
  isRecorded,
  openSubscription,
  othersOf,
  recordCreated,
  verificationTokenOf,
} from '../../features/live/index.ts';
import { isLoopback } from '../../platform/base-url.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { storeKeys, masked } from './subscription-keys.ts';
import { subscriptionRows } from './subscription.rows.ts';
import { maskUserInfo, maskUserInfoIn } from '../../platform/user-info.ts';

export interface SubscribeCreateOptions {
  readonly events: readonly string[];
  readonly transport: 'webhook' | 'channel';
  readonly address?: string;
  readonly extension: readonly string[];
  readonly expiresIn?: number;
  readonly encrypt?: boolean;
  readonly showSecrets?: boolean;
}

/**
 * `subscribe create`: creates a subscription, stores its keys and reports filters that differ from the requested
 * filters.
 */
export async function createSubscription(ctx: Context, options: SubscribeCreateOptions): Promise<void> {
  const { events, expiresIn } = options;
  const deliveryMode = deliveryModeOf(ctx, options);
  const lifetimeSeconds = lifetimeOf(options);
  checkEvents(events, lifetimeSeconds, options);
  const api = await ctx.api();
  const extensions = await extensionIds(api, options.extension, ctx.signal);
  const { filters } = toFilters(events, { extensions, lifetimeSeconds });
  const request = {
    eventFilters: [...filters],
    deliveryMode,
    ...(expiresIn !== undefined && { expiresIn }),
  };
  const [existing, subscription] = await ctx.out
    .progress('Creating the subscription', async () => {
      const before = await api.subscriptions.list({ signal: ctx.signal });
      const others = othersOf(ctx, api, before, ({ id, deliveryMode: { address } }) =>
        isRecorded(ctx, id, address),
      );
      const opened = await openSubscription(api, request, others, ctx.signal);
      recordCreated(ctx, opened.subscription.id);
      return [before, opened.subscription] as const;
    })
    .catch((error: unknown) => {
      throw explained(error, options.address);
    });
  await storeKeys(ctx, subscription);
  const warnings = [
    ...filterWarnings(filters, subscription),
    ...encryptionWarnings(options.encrypt ?? false, subscription),
    ...duplicateWarnings(existing, subscription),
  ];
  for (const warning of warnings) ctx.out.warn(warning);
  if (subscription.deliveryMode.encryptionKey !== undefined && !options.showSecrets)
    ctx.out.note(
      nextStep`The service encrypts the events of this subscription. Key for your receiver: ${ucctl`subscribe show ${subscription.id} --show-secrets`}`,
    );
  await ctx.out.record(masked(subscription, options.showSecrets), subscriptionRows.record);
}

function deliveryModeOf(ctx: Context, { transport, address, encrypt }: SubscribeCreateOptions) {
  const encryption = encrypt && { encryption: true };
  if (transport === 'channel') {
    if (address !== undefined)
      throw usageError(
        '--address can be used only with --transport webhook',
        'omit --address, or use --transport webhook',
      );
    return { transportType: channelTransportType(ctx, ['webhook']), ...encryption };
  }
  if (address === undefined)
    throw usageError(
      '--address URL is required',
      liveTransportOf(ctx) === 'channel'
        ? 'use --address URL, or receive events with --transport channel'
        : nextStep`use --address URL, or receive events without an address: ${ucctl('subscribe tail')}`,
    );
  checkAddress(address);
  const verificationToken = verificationTokenOf(ctx);
  return {
    transportType: 'WebHook' as const,
    address,
    ...encryption,
    ...(verificationToken !== undefined && { verificationToken }),
  };
}

/** Lifetime in seconds: as requested, or the default of the transport. @throws {CommandError} for more than the transport allows. */
function lifetimeOf({ transport, expiresIn }: SubscribeCreateOptions): number {
  const limits = transport === 'channel' ? channelSubscriptionSeconds : webhookSubscriptionSeconds;
  if (expiresIn === undefined) return limits.default;
  if (expiresIn > limits.max)
    throw usageError(
      `--expires-in ${expiresIn}s is too long: a ${transport} subscription lasts at most ${limits.max} s`,
      `use at most --expires-in ${limits.max}s`,
    );
  return expiresIn;
}

function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return;
  throw usageError(
    `--address: "${maskUserInfo(address)}" is not a valid https:// URL`,
    'use an https:// address; http:// is accepted only for this machine',
  );
}

function explained(error: unknown, address: string | undefined): unknown {
  // Replaces the hint of the feature, which names flags of `webhook listen`. For this command, the receiver is a
  // program of the user.
  if (!(error instanceof AddressRejectedError)) return error;
  // A masked address is the address of another receiver.
  const isShown = address !== undefined && maskUserInfoIn(address) === address;
  const check = isShown ? ucctl`webhook check ${address}` : ucctl('webhook check ADDRESS');
  return new CommandError(error.code, error.exit, error.message, {
    hint: nextStep`the receiver must answer the handshake; to test the receiver: ${check}`,
    cause: error.cause,
  });
}
