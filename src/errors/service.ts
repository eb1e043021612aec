import { ucctl, type CommandText, type Hint } from './hint.ts';

/** One detail of the service's error body (ERROR-1). */
export interface ApiErrorDetail {
  readonly errorCode: string;
  readonly message: string;
  readonly parameterName?: string | undefined;
  readonly permissionName?: string | undefined;
}

/** Method and path of the request that failed. */
export interface RequestLine {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
}

/** Returns the method and path of a call, without its body and headers, because errors and logs show them. */
export function requestLineOf({ method, path }: RequestLine): RequestLine {
  return { method, path };
}

/** The error for an ID or another value that cannot be a part of a path, such as `..`. Nothing was sent. */
export class PathValueError extends RangeError {
  override readonly name = 'PathValueError';

  constructor(value: string) {
    super(`"${value}" is not a valid path segment`);
  }
}

/** The error for a reply with an error status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The service's own code, such as `InsufficientPermissions` or `CMN-101`; `HTTP-502` for a reply without a code. */
  readonly code: string;
  readonly parameterName: string | undefined;
  readonly permissionName: string | undefined;
  readonly errors: readonly ApiErrorDetail[];
  readonly requestId: string | undefined;
  /** Seconds from the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;
  /** The Content-Range header; in a 416 it contains the size of the content. */
  readonly contentRange: string | undefined;
  readonly request: RequestLine;
  /** The command that signs in again, for a 401 with a new token. */
  hint: Hint | undefined;
  /** Whether the request was a change and may have taken effect. */
  mayBeDone = false;

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

/**
 * Returns whether the service may have processed the request in spite of this status: 5xx without the unsupported
 * statuses, and 408 and 499, which a gateway sends when it stops waiting for the service. An unknown status counts as 500
 * (RFC 9110, 15).
 */
export function isAmbiguousStatus(status: number): boolean {
  return (status >= 500 && !isUnsupportedStatus(status)) || status === 408 || status === 499;
}

/** Returns whether a rejection with this status may end without an action of the user, such as a rate limit. */
export function isTemporaryStatus(status: number): boolean {
  return status === 429 || isAmbiguousStatus(status);
}

/** Returns whether a retry is useless, because the service does not support the request (ERROR-18; RFC 9110, 15.6). */
export function isUnsupportedStatus(status: number): boolean {
  return status === 501 || status === 505;
}

/** The other hosts of a failed connection. */
export interface OtherHosts {
  /** Origin of the proxy, if the proxy could not be reached. */
  readonly proxy?: string | undefined;
  /** Origin of the proxy that opened the connection. */
  readonly via?: string | undefined;
  /** Origin of the service, if it redirected the request to the host of the connection. */
  readonly redirectedFrom?: string | undefined;
}

/** The error for a missing reply. `reached` is `unknown` if the service may have processed the request. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** System or TLS code, such as `ECONNREFUSED`, or `TIMEOUT`. */
  readonly code: string;
  readonly reached: 'no' | 'unknown';
  readonly origin: string;
  readonly proxy: string | undefined;
  readonly via: string | undefined;
  readonly redirectedFrom: string | undefined;
  /** Whether the certificate was rejected, so that a retry cannot succeed. */
  readonly isCertificateFault: boolean;

  constructor(
    code: string,
    reached: 'no' | 'unknown',
    origin: string,
    cause: unknown,
    hosts: OtherHosts = {},
  ) {
    super(`no reply from ${connectionTarget(origin, hosts)} (${code})`, { cause });
    this.proxy = hosts.proxy;
    this.via = hosts.via;
    this.redirectedFrom = hosts.redirectedFrom;
    this.code = code;
    this.reached = reached;
    this.origin = origin;
    this.isCertificateFault = /CERT|_SIGNATURE$|^ERR_TLS/.test(code);
  }
}

/**
 * The error for a change that may be repeated, such as a PUT, if no reply to the last attempt arrived: the service may
 * have made the change.
 */
export class UnconfirmedChangeError extends ConnectionError {
  readonly request: RequestLine;

  constructor(request: RequestLine, lost: ConnectionError) {
    const { code, reached, origin, cause } = lost;
    super(code, reached, origin, cause, lost);
    this.request = request;
  }
}

/** Returns the text for the host of a connection. */
export function connectionTarget(origin: string, { proxy, redirectedFrom }: OtherHosts): string {
  const from = redirectedFrom === undefined ? '' : `, to which ${redirectedFrom} redirected the request`;
  return proxy === undefined ? `${origin}${from}` : `the proxy ${proxy}`;
}

/**
 * The error for a request that must not be sent twice and may have taken effect, because it got no reply or its reply
 * does not prove the result.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  readonly request: RequestLine;
  /** The reason, for messages: `no reply`, `the service replied with HTTP 502`. */
  readonly why: string;

  /** @param problem what is unknown, if it is not the effect of a request without a reply */
  constructor(request: RequestLine, cause: unknown, problem?: string) {
    const said = inconclusiveReply(cause);
    const line = `${request.method} ${request.path}`;
    const what = said === undefined ? `no reply to ${line}` : `the reply to ${line} was ${said}`;
    super(problem ?? `${what}: the request may have taken effect`, { cause });
    this.request = request;
    this.why = said === undefined ? 'no reply' : `the service replied with ${said}`;
  }

  /** ID of the request in the outcome journal; undefined if the request was not recorded. */
  get outcome(): number | undefined {
    const { cause } = this;
    return outcomes.get(this) ?? (cause instanceof Error ? outcomes.get(cause) : undefined);
  }
}

/** The IDs in the outcome journal of requests that failed, by their errors. */
const outcomes = new WeakMap<Error, number>();

/** Assigns the ID in the outcome journal to the error of a request, for `OutcomeUnknownError.outcome`. */
export function assignOutcome(error: unknown, id: number): void {
  if (error instanceof Error) outcomes.set(error, id);
}

/** Describes a reply that does not prove the outcome; undefined if there was no reply. */
function inconclusiveReply(cause: unknown): string | undefined {
  if (cause instanceof ApiError) return `HTTP ${cause.status}`;
  return cause instanceof ReplyError ? `HTTP ${cause.status} and ${cause.what}` : undefined;
}

/** The error for a rate limit that would require a longer wait than the maximum. */
export class RateLimitError extends Error {
  override readonly name = 'RateLimitError';
  /** Usage group of the service in lower case, such as `heavy`. */
  readonly group: string;
  /** Seconds until the next request can be sent. */
  readonly waitSeconds: number;
  readonly request: RequestLine;
  /** The next step; undefined if the next step is to wait longer. */
  readonly hint: Hint | undefined;

  constructor(group: string, waitSeconds: number, request: RequestLine, cause?: unknown, hint?: Hint) {
    const asked = cause instanceof ApiError ? Math.ceil(cause.retryAfterSeconds ?? 0) : 0;
    const bound =
      asked > waitSeconds
        ? ` (the service asked for ${asked} s, and ucctl waits at most ${waitSeconds} s)`
        : '';
    super(
      `rate limit of usage group ${group} reached; ucctl can send the next request in ${waitSeconds} s${bound}`,
      { cause },
    );
    this.group = group;
    this.waitSeconds = waitSeconds;
    this.request = request;
    this.hint = hint;
  }
}

/** The error for a host that may not receive the token and rejected a request without it. */
export class UntrustedHostError extends Error {
  override readonly name = 'UntrustedHostError';
  readonly host: string;
  /** The command that allows the host in addition to the hosts that are already allowed. */
  readonly remedy: CommandText;

  constructor(host: string, cause: unknown, listed: readonly string[] = []) {
    super(
      `${host} rejected the request; ucctl sent no token, because the host does not belong to the service of this profile`,
      {
        cause,
      },
    );
    this.host = host;
    this.remedy = ucctl`config set media-hosts ${[...listed, host].join(',')}`;
  }
}

/** The error for a reply that does not match the interface, such as an HTML page. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
  readonly status: number;
  readonly request: RequestLine;
  /** Description of the content received instead. */
  readonly what: string;
  /** Whether the request was a change and may have taken effect. */
  readonly mayBeDone: boolean;
  /** Whether the reply had no body, so that nothing shows that another server sent it. */
  readonly isEmpty: boolean;
  /** Whether the reply comes from another server, such as the sign-in page of a network: an HTML page or a redirect. */
  readonly isForeign: boolean;
  /** The next step; undefined if the next step is to check the address of the service. */
  readonly hint: Hint | undefined;

  constructor(
    status: number,
    request: RequestLine,
    what: string,
    more: { readonly cause?: unknown } & Partial<
      Pick<ReplyError, 'mayBeDone' | 'isEmpty' | 'isForeign' | 'hint'>
    > = {},
  ) {
    const { cause, mayBeDone = false, isEmpty = false, isForeign = false, hint } = more;
    const doubt = mayBeDone ? ': the service may have made the change' : '';
    super(`${request.method} ${request.path} returned HTTP ${status} with ${what}${doubt}`, { cause });
    this.what = what;
    this.mayBeDone = mayBeDone;
    this.isEmpty = isEmpty;
    this.isForeign = isForeign;
    this.hint = hint;
    this.status = status;
    this.request = request;
  }
}

/** The error for a missing access token, or for a rejected token that cannot be renewed. */
export class SignInRequiredError extends Error {
  override readonly name = 'SignInRequiredError';
  readonly reason: 'no-session' | 'expired' | 'rejected';
  /** The command that signs in again. */
  readonly hint: Hint | undefined;

  constructor(reason: 'no-session' | 'expired' | 'rejected', message: string, cause?: unknown, hint?: Hint) {
    super(message, { cause });
    this.reason = reason;
    this.hint = hint;
  }
}

/** Returns whether the service rejected a request with this HTTP status. */
export function isRejectedWith(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status;
}
