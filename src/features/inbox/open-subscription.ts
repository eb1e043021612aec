import type { Client } from '../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../contract/subscription.ts';
import { CommandError, Exit } from '../../runtime/errors.ts';

/**
 * Creates a subscription. When its answer is lost it is looked for and never created twice (coverage, ruling 2): a webhook by its address,
 * which nobody else has, a channel by what was not there before.
 */
export async function openSubscription(
  api: Client,
  wish: SubscriptionRequest,
  signal: AbortSignal,
): Promise<Subscription> {
  const { address } = wish.deliveryMode;
  const before = address === undefined ? await idsOf(api, signal) : new Set<string>();
  try {
    return await api.subscriptions.create(wish, { signal });
  } catch (error) {
    if (!isUnknown(error)) throw address && isAddressRefusal(error) ? addressRefused(address, error) : error;
    const adopted = await findLost(api, address, before);
    if (adopted) return adopted;
    throw error;
  }
}

async function idsOf(api: Client, signal: AbortSignal): Promise<ReadonlySet<string>> {
  return new Set((await api.subscriptions.list({ signal })).map(({ id }) => id));
}

function isUnknown(error: unknown): boolean {
  return error instanceof Error && error.name === 'OutcomeUnknownError';
}

async function findLost(
  api: Client,
  address: string | undefined,
  before: ReadonlySet<string>,
): Promise<Subscription | undefined> {
  // Also after Ctrl-C: what was created must not stay behind.
  const signal = AbortSignal.timeout(5000);
  const all = await api.subscriptions.list({ signal }).catch(() => []);
  return all.find(({ id, deliveryMode }) => {
    if (address !== undefined) return deliveryMode.address === address;
    return deliveryMode.transportType !== 'WebHook' && !before.has(id);
  });
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
