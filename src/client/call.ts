import type { HttpReply } from './http.ts';
import type { Resend, RetryNumber } from './retry-policy.ts';
import type { ReplyShape } from './shapes/shape.ts';
import type { Hint } from '../errors/hint.ts';

/** A source of access tokens. Implemented by src/auth. */
export interface AccessTokenSource {
  /**
   * Returns the access token. @param signal ends the wait of the request, but must not end a renewal, which other
   * requests may share. `createClient` passes no signal, because it ends the wait itself.
   * @throws {SignInRequiredError} if there is no session.
   */
  current(signal?: AbortSignal): Promise<string>;
  /**
   * Returns a newer token than `rejected`, which the service rejected with 401. @param signal as for `current`.
   * @param code error code of the rejection, if the reply had one.
   * @throws {SignInRequiredError} if the session cannot be renewed.
   */
  renew(rejected: string, signal?: AbortSignal, code?: string): Promise<string>;
  /** The command that signs in again, for the error of a request that the service also rejects with the newer token. */
  signInCommand?(): Promise<Hint>;
}

/** A query value. An array is sent as repeated parameters, undefined is omitted. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** One request to the service. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base URL; the `path` tag encodes its segments. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /**
   * The request body, sent as JSON. With `contentType` it must be a string, bytes or a stream, which are sent
   * unchanged.
   */
  readonly body?: unknown;
  /** Content type of a body that is not JSON, such as `multipart/form-data; boundary=...`. */
  readonly contentType?: string | undefined;
  /** Additional headers, in lower case. They are not sent to another origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the reply is a file instead of JSON. A file is requested without compression. */
  readonly media?: boolean | undefined;
  /**
   * Whether the request must not be processed twice, because it sends a message, places a call or creates a resource.
   * Such a request uses a new connection. It is not retried once the service may have read a part of it. Without a
   * reply it throws OutcomeUnknownError.
   */
  readonly once?: boolean | undefined;
  /**
   * For a PATCH of messages: the recipients of the faxes that it sends, because it restores queued faxes. Empty if it
   * sends no fax; undefined if that is unknown. A recipient without a number is `?`.
   */
  readonly faxTo?: readonly string[] | undefined;
  /**
   * Required shape of a successful reply, because a proxy or a captive portal may answer any request with 200. Without
   * a shape any record or list is accepted.
   */
  readonly reply?: ReplyShape | undefined;
  /**
   * Number of requests of the usage group in each window that this request leaves for others. If the limit is unknown,
   * the documented limit is assumed, so that many processes do not exceed it with their first requests.
   */
  readonly reserve?: number | undefined;
  /**
   * When to retry after a failure. Default: `always` for GET, PUT and DELETE (except of messages), otherwise `unsent`.
   * A change with `unsent` throws OutcomeUnknownError if the service may have processed it without a reply.
   */
  readonly resend?: Resend | undefined;
}

/** Headers of a reply that `onReply` gets. */
export interface ReplyFacts {
  readonly requestId: string | undefined;
  /** The Date header of the reply, which is the time of the service. */
  readonly date: string | undefined;
  /** When the headers arrived, by the clock of this machine, in milliseconds since 1970. The body can take longer. */
  readonly receivedAt: number;
}

/** A reply that leads to an error. Its secrets are masked, and a very long text is replaced by its length. */
export interface ErrorStatusReply {
  readonly reply: HttpReply;
  readonly text: string;
}

/** A wait before a request is sent or retried. */
export interface Wait {
  readonly reason: 'retry' | 'rate-limit';
  readonly milliseconds: number;
  readonly request: { readonly method: string; readonly path: string };
  /** Present if the reason is a retry. */
  readonly retry?: RetryNumber;
  /** The error that causes a retry; absent for a wait because of a rate limit. */
  readonly error?: unknown;
}

/** Options of every resource method, its last parameter. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Ends the attempt in progress instead of `signal`, which then ends only waits and prevents further attempts. So the
   * reply to a request that has been sent can still arrive after `signal` has aborted.
   */
  readonly attemptSignal?: AbortSignal | undefined;
  /** Timeout of this request, instead of the client's timeout. */
  readonly timeoutMilliseconds?: number | undefined;
  /**
   * For `once` calls: rejects a second request with the same key within 24 hours. Without a recorder, the request fails
   * with a TypeError and is not sent.
   */
  readonly dedupeKey?: string | undefined;
  /**
   * Time in milliseconds since 1970 after which an earlier request with `dedupeKey` counts; by default, and at the latest,
   * 24 hours ago.
   */
  readonly dedupeSince?: number | undefined;
  /** Called with each reply with an error status, before the error is thrown. */
  readonly onErrorStatus?: ((reply: ErrorStatusReply) => void) | undefined;
  /** For `Transport.open`: called with a reply that does not prove a change, before the error is thrown. */
  readonly onUnproven?: ((reply: ErrorStatusReply) => void) | undefined;
  /** Called with each successful reply. */
  readonly onReply?: ((reply: ReplyFacts) => void) | undefined;
  /** Called before each wait of this request. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}
