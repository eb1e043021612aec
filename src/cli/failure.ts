/** An error as users and scripts see it. */
export interface Failure {
  /** The stable word for scripts. */
  readonly code: string;
  readonly message: string;
  readonly exit: number;
  readonly need?: string | undefined;
  readonly hint?: string | undefined;
  readonly details?: readonly string[] | undefined;
  readonly retryable: boolean;
  readonly httpStatus?: number | undefined;
  readonly serverCode?: string | undefined;
  readonly requestId?: string | undefined;
  readonly request?: { readonly method: string; readonly path: string } | undefined;
}

/** What errors of the layers below carry; they are told apart by `name`, so that no layer is loaded to report one. */
export interface Carried {
  readonly code?: string;
  readonly exit?: number;
  readonly hint?: string;
  readonly need?: string;
  readonly details?: readonly string[];
  readonly retryable?: boolean;
  readonly status?: number;
  readonly permissionName?: string;
  readonly errors?: readonly { readonly errorCode: string }[];
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly request?: { readonly method: string; readonly path: string };
  readonly origin?: string;
  readonly proxy?: string | undefined;
  readonly reason?: string;
  readonly syscall?: string;
  readonly waitSeconds?: number;
  readonly host?: string;
  readonly mayBeDone?: boolean;
}

/** What the service said, when it said something. */
export function causeFacts(error: Error): Partial<Failure> {
  const cause = error.cause instanceof Error ? (error.cause as Error & Carried) : undefined;
  return cause?.name === 'ApiError' ? serverFacts(cause) : {};
}

/** What the service said about a refused request. */
export function serverFacts(error: Carried): Partial<Failure> {
  return {
    httpStatus: error.status,
    serverCode: error.code,
    requestId: error.requestId,
    request: error.request,
  };
}
