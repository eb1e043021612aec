import type { Client } from '../../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../../contract/subscription.ts';
import { CommandError, Exit } from '../../../errors/command.ts';
import { nextStep, ucctl, type Hint } from '../../../errors/hint.ts';
import { ApiError, OutcomeUnknownError } from '../../../errors/service.ts';
import { delayedSignal } from '../../../platform/delayed-signal.ts';
import { maskUserInfoIn } from '../../../platform/user-info.ts';
import { findLost, type OtherSubscriptions } from './lost-creation.ts';

type Api = Pick<Client, 'subscriptions'>;

/** Longest wait in milliseconds for the reply to a creation after Ctrl-C, so that the subscription can be deleted. */
const graceMilliseconds = 5000;

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

/** The subscription of a creation. */
interface OpenedSubscription {
  readonly subscription: Subscription;
  /** Whether the reply was lost, so that another program may have created the subscription. */
  readonly isAdopted: boolean;
}

/**
 * Creates a subscription, never twice (CLIENT-2). If the reply is lost, it searches for the created subscription. When the
 * signal aborts, waits end at once, but a request in progress has some more seconds to finish.
 * @param others undefined if only this run uses the address.
 * @throws the service's error; `outcome_unknown` (exit 14) if the reply was lost, and not exactly one subscription can be
 * the created one.
 */
export async function openSubscription(
  api: Api,
  request: SubscriptionRequest,
  others: OtherSubscriptions | undefined,
  signal: AbortSignal,
): Promise<OpenedSubscription> {
  const { address } = request.deliveryMode;
  const delayed = delayedSignal(signal, graceMilliseconds);
  try {
    const subscription = await api.subscriptions.create(request, { signal, attemptSignal: delayed.signal });
    return { subscription, isAdopted: false };
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError))
      throw address && isAddressRejection(error) ? new AddressRejectedError(address, error) : error;
    const found = await findLost(api, request, others);
    if (!found) throw unknownCreation(error);
    return { subscription: found, isAdopted: others !== undefined };
  } finally {
    delayed.end();
  }
}

function unknownCreation(error: OutcomeUnknownError): CommandError {
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `${error.why}: the service may have created the subscription`,
    { hint: nextStep`check the subscriptions before you retry: ${ucctl('subscribe list')}`, cause: error },
  );
}

/** Whether the handshake with the address failed (ERROR-40). */
function isAddressRejection(error: unknown): error is ApiError {
  return error instanceof ApiError && /^SUB-52\d$/.test(error.code);
}
