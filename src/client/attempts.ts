import { isForeignAbort } from '../errors/interrupted.ts';
import {
  ApiError,
  ConnectionError,
  isAmbiguousStatus,
  isRejectedWith,
  OutcomeUnknownError,
  ReplyError,
  requestLineOf,
  UnconfirmedChangeError,
} from '../errors/service.ts';
import { isMissingResource } from '../errors/service-codes.ts';
import { mayRepeat } from '../platform/reading-paths.ts';
import { comparablePath } from '../platform/request-path.ts';
import type { Call } from './call.ts';
import { isEnded } from './ended.ts';
import { mayBeDone } from './retry-policy.ts';

/**
 * The error for a resource that an earlier attempt has deleted: no reply to that attempt arrived, and the repeated DELETE
 * does not find the resource (RFC 9110, 9.2.2).
 */
export class LostDeletion extends OutcomeUnknownError {}

/** The failed attempts to send one request, which determine whether the service may have processed it. */
export class Attempts {
  readonly #call: Call;
  /** The error of an attempt after which the service may have made a change. */
  #doubt: unknown;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Records the error of an attempt. `isUnsent` means that the attempt ended before the request was sent. */
  failed(error: unknown, isUnsent: boolean): void {
    if (!isUnsent && isChange(this.#call) && mayBeDone(error)) this.#doubt = error;
  }

  /**
   * Returns the error to throw after the last attempt: OutcomeUnknownError for a `once` call, or a change with `resend:
   * 'unsent'`, that the service may have processed, and for a repeated DELETE whose rejection may be the effect of an
   * earlier attempt. For other changes a lost reply is an UnconfirmedChangeError, an unexpected reply, such as a
   * redirect, and a status such as 503 are marked as possibly processed, and an attempt that certainly was not sent does
   * not hide an earlier one that may have been processed.
   */
  outcome(error: unknown, isUnsent: boolean): unknown {
    const call = this.#call;
    const doubt = this.#doubt;
    if (isUnsent || (error instanceof ConnectionError && error.reached === 'no'))
      return doubt === undefined ? error : this.#unproven(doubt);
    if (call.method === 'DELETE' && doubt !== undefined) {
      if (isMissingResource(error)) return new LostDeletion(requestLineOf(call), doubt);
      // The service rejects the deletion of what an earlier attempt has ended, such as a call.
      if (isRejectedWith(error, 409)) return new OutcomeUnknownError(requestLineOf(call), doubt);
    }
    return this.#unproven(error);
  }

  /** Returns the error for an attempt that was sent, and whose error does not prove its result. */
  #unproven(error: unknown): unknown {
    const call = this.#call;
    const isReply = error instanceof ReplyError;
    if (isSingle(call, isReply))
      return mayBeDone(error) ? new OutcomeUnknownError(requestLineOf(call), error) : error;
    if (!isChange(call)) return error;
    if (error instanceof ApiError) error.mayBeDone = isAmbiguousStatus(error.status);
    if (error instanceof ConnectionError) return new UnconfirmedChangeError(requestLineOf(call), error);
    if (!isReply || error.mayBeDone) return error;
    const { status, what, hint, cause, isForeign } = error;
    return new ReplyError(status, requestLineOf(call), what, { cause, hint, isForeign, mayBeDone: true });
  }

  /**
   * Returns the error to throw if the caller aborts the request or a wait before its next attempt, or closes the client:
   * OutcomeUnknownError for a change that the service may have processed. Returns any other error of a wait unchanged.
   */
  interrupted(error: unknown, signal: AbortSignal | undefined): unknown {
    const isAbort = isEnded(error, signal) || isForeignAbort(error);
    return isAbort ? this.unsent(error) : error;
  }

  /**
   * Returns the error to throw if the next attempt is not sent because of `error`: OutcomeUnknownError for a change that
   * the service may have processed.
   */
  unsent(error: unknown): unknown {
    return this.#doubt === undefined
      ? error
      : new OutcomeUnknownError(requestLineOf(this.#call), this.#doubt);
  }
}

/** Whether a call without a proof of its result throws OutcomeUnknownError. */
function isSingle(call: Call, isReply: boolean): boolean {
  return call.once === true || (call.resend === 'unsent' && !mayRepeat(call) && !isReply);
}

/** Whether a call may make a change that matters to the user, unlike a read or the request of a token. */
function isChange(call: Call): boolean {
  return !mayRepeat(call) && !comparablePath(call.path).startsWith('/restapi/oauth/');
}
