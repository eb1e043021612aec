import type { Client } from '../../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../../contract/subscription.ts';
import { CommandError, Exit } from '../../../errors/command.ts';
import { OutcomeUnknownError } from '../../../errors/service.ts';

type Api = Pick<Client, 'subscriptions'>;

/**
 * Creates a subscription. When its reply is lost it is searched for and never created twice (CLIENT-2): by its address when nobody
 * else has that one (`addressIsOurs`), otherwise by what was not there before.
 * @throws the service's error; `OutcomeUnknownError` when the answer was lost and no one, or more than one, can be it.
 */
export async function openSubscription(
  api: Api,
  request: SubscriptionRequest,
  signal: AbortSignal,
  { addressIsOurs }: { readonly addressIsOurs: boolean },
): Promise<Subscription> {
  const { address } = request.deliveryMode;
  const before = addressIsOurs ? new Set<string>() : await idsOf(api, signal);
  try {
    return await api.subscriptions.create(request, { signal });
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError))
      throw address && isAddressRefusal(error) ? addressRefused(address, error) : error;
    const [adopted, second] = await findLost(api, request, before);
    if (!adopted || second) throw error;
    return adopted;
  }
}

async function idsOf(api: Api, signal: AbortSignal): Promise<ReadonlySet<string>> {
  return new Set((await api.subscriptions.list({ signal })).map(({ id }) => id));
}

async function findLost(
  api: Api,
  { deliveryMode: { address } }: SubscriptionRequest,
  before: ReadonlySet<string>,
): Promise<readonly Subscription[]> {
  // Also after Ctrl-C: what was created must not stay behind.
  const signal = AbortSignal.timeout(5000);
  const all = await api.subscriptions.list({ signal }).catch(() => []);
  return all.filter(({ id, deliveryMode }) => {
    if (before.has(id)) return false;
    return address === undefined
      ? deliveryMode.transportType !== 'WebHook'
      : deliveryMode.address === address;
  });
}

/** The handshake failed: ERROR-40. */
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
