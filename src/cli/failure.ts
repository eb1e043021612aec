import { ApiError, RateLimitError, type RequestLine } from '../errors/service.ts';
import type { Detail, EarlierSend } from '../errors/command.ts';
import type { Hint } from '../errors/hint.ts';

/** One reason for a rejection. */
export interface ServerReason {
  readonly code: string;
  /** Absent if the message of the whole reply states the reason. */
  readonly message: string | undefined;
  readonly parameter: string | undefined;
}

/** An error that is reported to users and scripts. */
export interface Failure {
  /** Stable identifier for scripts. */
  readonly code: string;
  readonly message: string;
  readonly exit: number;
  readonly need?: string | undefined;
  readonly hint?: Hint | undefined;
  readonly details?: readonly Detail[] | undefined;
  readonly retryable: boolean;
  /** Seconds after which the service accepts requests again, if known. */
  readonly retryAfter?: number | undefined;
  /** ID of the run of changes that failed, or that blocks the command. */
  readonly run?: string | undefined;
  /** ID of the unknown outcome, for `ucctl outcome resolve`. */
  readonly outcome?: number | undefined;
  /** The earlier request that used the same `--dedupe-key`. */
  readonly earlier?: EarlierSend | undefined;
  readonly httpStatus?: number | undefined;
  readonly serverCode?: string | undefined;
  /** The reasons in the reply that its code and message do not state (ERROR-1). */
  readonly serverErrors?: readonly ServerReason[] | undefined;
  readonly requestId?: string | undefined;
  readonly request?: RequestLine | undefined;
}

/** A failure whose hint has been converted to text. */
export interface ShownFailure extends Omit<Failure, 'hint'> {
  readonly hint?: string | undefined;
}

/** Data from the service's reply or its rate limit, if one of them caused the error. */
export function causeFacts(error: Error): Partial<Failure> {
  const { cause } = error;
  if (cause instanceof RateLimitError) return { retryAfter: cause.waitSeconds };
  return cause instanceof ApiError ? serverFacts(cause) : {};
}

/** Data from the service's reply to a rejected request. */
export function serverFacts(error: ApiError): Partial<Failure> {
  return {
    httpStatus: error.status,
    serverCode: error.code,
    serverErrors: reasonsOf(error),
    requestId: error.requestId,
    request: error.request,
    retryAfter: error.retryAfterSeconds,
  };
}

/** Returns the reasons of a reply. The outer code may name only their class, and the outer message none of them. */
function reasonsOf({ code, message, errors }: ApiError): readonly ServerReason[] | undefined {
  const reasons = errors
    .filter((one) => one.errorCode !== code || isOther(one.message, message))
    .map((one) => ({
      code: one.errorCode,
      message: isOther(one.message, message) ? one.message : undefined,
      parameter: one.parameterName,
    }));
  return reasons.length === 0 ? undefined : reasons;
}

function isOther(text: string, whole: string): boolean {
  return text !== '' && text !== whole;
}
