import { ApiError, type RequestLine } from '../errors/service.ts';
import type { Detail } from '../errors/command.ts';
import type { Hint } from '../errors/hint.ts';

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
  readonly httpStatus?: number | undefined;
  readonly serverCode?: string | undefined;
  readonly requestId?: string | undefined;
  readonly request?: RequestLine | undefined;
}

/** A failure whose hint has been converted to text. */
export interface ShownFailure extends Omit<Failure, 'hint'> {
  readonly hint?: string | undefined;
}

/** Data from the service's reply, if a reply caused the error. */
export function causeFacts(error: Error): Partial<Failure> {
  return error.cause instanceof ApiError ? serverFacts(error.cause) : {};
}

/** Data from the service's reply to a rejected request. */
export function serverFacts(error: ApiError): Partial<Failure> {
  return {
    httpStatus: error.status,
    serverCode: error.code,
    requestId: error.requestId,
    request: error.request,
  };
}
