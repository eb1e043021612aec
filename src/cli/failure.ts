import { ApiError, type RequestLine } from '../errors/service.ts';
import type { Hint } from '../errors/hint.ts';

/** An error as users and scripts see it. */
export interface Failure {
  /** The stable word for scripts. */
  readonly code: string;
  readonly message: string;
  readonly exit: number;
  readonly need?: string | undefined;
  readonly hint?: Hint | undefined;
  readonly details?: readonly string[] | undefined;
  readonly retryable: boolean;
  readonly httpStatus?: number | undefined;
  readonly serverCode?: string | undefined;
  readonly requestId?: string | undefined;
  readonly request?: RequestLine | undefined;
}

/** A failure whose next step is a text, as it is shown. */
export interface ShownFailure extends Omit<Failure, 'hint'> {
  readonly hint?: string | undefined;
}

/** What the service said, when it said something. */
export function causeFacts(error: Error): Partial<Failure> {
  return error.cause instanceof ApiError ? serverFacts(error.cause) : {};
}

/** What the service said about a rejected request. */
export function serverFacts(error: ApiError): Partial<Failure> {
  return {
    httpStatus: error.status,
    serverCode: error.code,
    requestId: error.requestId,
    request: error.request,
  };
}
