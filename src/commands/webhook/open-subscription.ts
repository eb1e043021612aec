import type { Client } from '../../client/index.ts';
import type { Subscription } from '../../contract/subscription.ts';
import { CommandError, Exit } from '../../runtime/errors.ts';

export interface SubscriptionWish {
  readonly eventFilters: readonly string[];
  readonly address: string;
  readonly verificationToken?: string | undefined;
}

/**
 * Creates the subscription. When its answer is lost it is looked for by its address, which nobody else has, and never created twice
 * (coverage, ruling 2).
 */
export async function openSubscription(
  api: Client,
  wish: SubscriptionWish,
  signal: AbortSignal,
): Promise<Subscription> {
  const { address, verificationToken } = wish;
  try {
    return await api.subscriptions.create(
      {
        eventFilters: [...wish.eventFilters],
        deliveryMode: { transportType: 'WebHook', address, ...(verificationToken && { verificationToken }) },
      },
      { signal },
    );
  } catch (error) {
    const adopted = await findLost(api, address, error);
    if (adopted) return adopted;
    throw isAddressRefusal(error) ? addressRefused(address, error) : error;
  }
}

async function findLost(api: Client, address: string, error: unknown): Promise<Subscription | undefined> {
  if (!(error instanceof Error && error.name === 'OutcomeUnknownError')) return undefined;
  // Also after Ctrl-C: what was created must not stay behind.
  const signal = AbortSignal.timeout(5000);
  const all = await api.subscriptions.list({ signal }).catch(() => []);
  return all.find((subscription) => subscription.deliveryMode.address === address);
}

/** Codes SUB-520 to SUB-525: the handshake failed (facts 1.6). */
function isAddressRefusal(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^SUB-52\d$/.test(String(error.code));
}

function addressRefused(address: string, cause: Error): CommandError {
  return new CommandError(
    'address_refused',
    Exit.failed,
    `the service does not accept ${address}: ${cause.message}`,
    { hint: 'it must reach this listener; put a tunnel or a proxy in front and give --public-url', cause },
  );
}
