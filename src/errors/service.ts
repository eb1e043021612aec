import type { Hint } from './hint.ts';

/** One detail of the service's error body (ERROR-1). */
export interface ApiErrorDetail {
  readonly errorCode: string;
  readonly message: string;
  readonly parameterName?: string | undefined;
  readonly permissionName?: string | undefined;
}

/** Which request an error is about. */
export interface RequestLine {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
}

/** The service answered with an error status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The service's own code, such as `InsufficientPermissions` or `CMN-101`; `HTTP-502` where it sent none. */
  readonly code: string;
  readonly parameterName: string | undefined;
  readonly permissionName: string | undefined;
  readonly errors: readonly ApiErrorDetail[];
  readonly requestId: string | undefined;
  /** From Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** Content-Range, by which a 416 tells the size. */
  readonly contentRange: string | undefined;
  readonly request: RequestLine;
  /** Of a 401 with a new token: the command that signs in again. */
  hint: Hint | undefined;

  constructor(
    detail: ApiErrorDetail & {
      readonly status: number;
      readonly errors?: readonly ApiErrorDetail[] | undefined;
      readonly requestId?: string | undefined;
      readonly retryAfterSeconds?: number | undefined;
      readonly contentRange?: string | undefined;
      readonly request: RequestLine;
    },
  ) {
    super(detail.message);
    this.status = detail.status;
    this.code = detail.errorCode;
    this.parameterName = detail.parameterName;
    this.permissionName = detail.permissionName;
    this.errors = detail.errors ?? [];
    this.requestId = detail.requestId;
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.contentRange = detail.contentRange;
    this.request = detail.request;
  }
}

/** No reply came. `reached` says whether the request can have been processed. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** System or TLS code, such as `ECONNREFUSED`, or `TIMEOUT`. */
  readonly code: string;
  readonly reached: 'no' | 'unknown';
  readonly origin: string;
  /** Origin of the proxy, when that is what could not be reached. */
  readonly proxy: string | undefined;
  /** Its certificate was not accepted: trying again changes nothing. */
  readonly isCertificateFault: boolean;

  constructor(code: string, reached: 'no' | 'unknown', origin: string, cause: unknown, proxy?: string) {
    super(`no reply from ${proxy === undefined ? origin : `the proxy ${proxy}`} (${code})`, { cause });
    this.proxy = proxy;
    this.code = code;
    this.reached = reached;
    this.origin = origin;
    this.isCertificateFault = /CERT|_SIGNATURE$|^ERR_TLS/.test(code);
  }
}

/** A request that must not be sent twice got no answer, or none that tells: it may have been done. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  readonly request: RequestLine;
  /** What came instead of an answer that tells, in words: `no answer came`, `the service answered HTTP 502`. */
  readonly why: string;

  constructor(request: RequestLine, cause: unknown) {
    const said = saidInstead(cause);
    const line = `${request.method} ${request.path}`;
    const what = said === undefined ? `no answer to ${line}` : `${line} was answered with ${said}`;
    super(`${what}: it may have been done or not`, { cause });
    this.request = request;
    this.why = said === undefined ? 'no answer came' : `the service answered with ${said}`;
  }
}

/** An answer that leaves the outcome open, in words; undefined where none came. */
function saidInstead(cause: unknown): string | undefined {
  if (cause instanceof ApiError) return `HTTP ${cause.status}`;
  return cause instanceof ReplyError ? `HTTP ${cause.status} and ${cause.what}` : undefined;
}

/** A usage group is spent, or was refused, and its end is further away than the longest wait. */
export class RateLimitError extends Error {
  override readonly name = 'RateLimitError';
  /** Usage group of the service, such as `Heavy`. */
  readonly group: string;
  /** Until the next request may go out. */
  readonly waitSeconds: number;
  readonly request: RequestLine;
  /** The next step, where it is another than to wait longer. */
  readonly hint: Hint | undefined;

  constructor(group: string, waitSeconds: number, request: RequestLine, cause?: unknown, hint?: Hint) {
    super(`the rate limit of group ${group} is reached; the next request may go out in ${waitSeconds} s`, {
      cause,
    });
    this.group = group;
    this.waitSeconds = waitSeconds;
    this.request = request;
    this.hint = hint;
  }
}

/** Another host than the service's refused; the token was not shown to it. */
export class UntrustedHostError extends Error {
  override readonly name = 'UntrustedHostError';
  readonly host: string;

  constructor(host: string, cause: unknown) {
    super(`${host} refused; it got no token, because it is not the service this profile signed in to`, {
      cause,
    });
    this.host = host;
  }
}

/** The service answered something that is not what the interface promises, e.g. an HTML page. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
  readonly status: number;
  readonly request: RequestLine;
  /** What came in place of the reply, in words. */
  readonly what: string;
  /** Whether the request was to change something: then the change may have been made. */
  readonly mayBeDone: boolean;
  /** The next step, where it is another than to check the address of the service. */
  readonly hint: Hint | undefined;

  constructor(
    status: number,
    request: RequestLine,
    what: string,
    more: { readonly cause?: unknown; readonly mayBeDone?: boolean; readonly hint?: Hint | undefined } = {},
  ) {
    const { cause, mayBeDone = false, hint } = more;
    const doubt = mayBeDone ? ': the change may have been made or not' : '';
    super(`${request.method} ${request.path} answered HTTP ${status} with ${what}${doubt}`, { cause });
    this.what = what;
    this.mayBeDone = mayBeDone;
    this.hint = hint;
    this.status = status;
    this.request = request;
  }
}

/** A request that `--dry-run` kept from going out. */
export interface WithheldRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  /** What was asked for beside the usual ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of a body that is not JSON. */
  readonly contentType?: string | undefined;
  /** Such a body as it would go out, what cannot be read told by its size. */
  readonly text?: string | undefined;
}

/** Under dry run the transport stops every request that would change something. */
export class DryRunStop extends Error {
  override readonly name = 'DryRunStop';
  readonly withheld: WithheldRequest;
  /** All that were kept back in this run so far, `withheld` last: a command that goes on to its next request shows them together. */
  readonly all: readonly WithheldRequest[];

  constructor(withheld: WithheldRequest, before: readonly WithheldRequest[] = []) {
    super(`dry run: ${withheld.method} ${withheld.url} was not sent`);
    this.withheld = withheld;
    this.all = [...before, withheld];
  }
}

/** There is no access token to send, or it was refused and cannot be renewed. */
export class SignInRequiredError extends Error {
  override readonly name = 'SignInRequiredError';
  readonly reason: 'no-session' | 'expired' | 'refused';
  /** The command that signs in again. */
  readonly hint: Hint | undefined;

  constructor(reason: 'no-session' | 'expired' | 'refused', message: string, cause?: unknown, hint?: Hint) {
    super(message, { cause });
    this.reason = reason;
    this.hint = hint;
  }
}

/** Whether the service rejected a request with this HTTP status. */
export function isRefusedWith(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status;
}
