import type { Client } from '../../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../../contract/subscription.ts';
import { CommandError, Exit } from '../../../errors/command.ts';
import type { Hint } from '../../../errors/hint.ts';
import { ApiError, OutcomeUnknownError } from '../../../errors/service.ts';
import { maskUserInfoIn } from '../../../platform/user-info.ts';

type Api = Pick<Client, 'subscriptions'>;

/**
 * The error if the service could not complete the handshake with the address of a webhook (`address_rejected`, exit 1).
 */
export class AddressRejectedError extends CommandError {
  readonly #address: string;
  readonly #rejection: ApiError;

  constructor(
    address: string,
    cause: ApiError,
    hint: Hint = 'the service must be able to reach this listener; use a tunnel or a proxy with --public-url',
  ) {
    const message = `the service rejected the address ${maskUserInfoIn(address)}: ${cause.message}`;
    super('address_rejected', Exit.failed, message, { hint, cause });
    this.#address = address;
    this.#rejection = cause;
  }

  /** Returns the same error with another next step. */
  with(hint: Hint): AddressRejectedError {
    return new AddressRejectedError(this.#address, this.#rejection, hint);
  }
}

/**
 * Creates a subscription, never twice (CLIENT-2). If the reply is lost, it searches for the new subscription among those
 * that are not `existing`.
 * @param existing the subscriptions before the request; none if only this run uses the address.
 * @throws the service's error; `OutcomeUnknownError` if the reply was lost, and no subscription or several
 * subscriptions match.
 */
export async function openSubscription(
  api: Api,
  request: SubscriptionRequest,
  existing: readonly Subscription[],
  signal: AbortSignal,
): Promise<Subscription> {
  const { address } = request.deliveryMode;
  const before = new Set(existing.map(({ id }) => id));
  try {
    return await api.subscriptions.create(request, { signal });
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError))
      throw address && isAddressRejection(error) ? new AddressRejectedError(address, error) : error;
    const [adopted, second] = await findLost(api, request, before);
    if (!adopted || second) throw error;
    return adopted;
  }
}

async function findLost(
  api: Api,
  { deliveryMode: { address } }: SubscriptionRequest,
  before: ReadonlySet<string>,
): Promise<readonly Subscription[]> {
  // The signal of the run is not used: a created subscription must be found and deleted even after Ctrl-C.
  const signal = AbortSignal.timeout(5000);
  const all = await api.subscriptions.list({ signal }).catch(() => []);
  return all.filter(({ id, deliveryMode }) => {
    if (before.has(id)) return false;
    return address === undefined
      ? deliveryMode.transportType !== 'WebHook'
      : deliveryMode.address === address;
  });
}

/** Whether the handshake with the address failed (ERROR-40). */
function isAddressRejection(error: unknown): error is ApiError {
  return error instanceof ApiError && /^SUB-52\d$/.test(error.code);
}
