/** A body that is too large for memory. Its bytes are read while they are sent, and again for each attempt. */
export interface StreamBody {
  /** Size of the body in bytes. */
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
  /** Short description of the content, for dry runs and journals. */
  readonly summary: unknown;
  /** The body as text, with the size in place of binary parts. */
  readonly shown?: string;
}

/** Whether a body is a stream, not a string or bytes. */
export function isStreamBody(body: unknown): body is StreamBody {
  return typeof body === 'object' && body !== null && 'open' in body && typeof body.open === 'function';
}

/** An HTTP request, ready to be sent. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** A streamed body, used instead of `body`. */
  readonly stream?: StreamBody | undefined;
  /** Aborts the request and the reading of its reply. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Uses a new connection, which is closed afterwards. For requests that must not be processed twice: if the server had
   * just closed a kept-alive connection, their outcome would be unknown.
   */
  readonly freshConnection?: boolean;
  /**
   * Whether the caller of the client gets the reply unread. The end of the client then ends the reply, unless the caller
   * has begun to read it.
   */
  readonly isOpened?: boolean | undefined;
  /**
   * Timeout for the headers of the reply, and between two chunks of its body; 0 for none. Ten times this value limits
   * the time of interim replies (1xx), and of a body that is read as a whole.
   */
  readonly timeoutMilliseconds: number;
  /**
   * Called before the rejection of a request that the server certainly did not process: nothing was sent before the abort,
   * or the streamed body failed before its end. Without this call, the server may have processed an aborted request.
   */
  readonly onUnsent?: (() => void) | undefined;
}

/** The answer for one of several resources of a request. */
export interface ReplyPart {
  readonly id: string;
  /** HTTP status; undefined if the reply does not name the resource, so that its outcome is unknown. */
  readonly status: number | undefined;
}

/** A reply whose body has not been read yet. Exactly one of the body methods must be called. */
export interface HttpReply {
  readonly status: number;
  /** Returns the value of a header by its lower-case name; repeated headers are joined by commas. */
  header(name: string): string | undefined;
  /** All headers, by lower-case name. Absent in some networks that tests use. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The answers for several resources, if `Transport.open` read a reply that has them. */
  readonly parts?: readonly ReplyPart[];
  /**
   * Returns the whole body. @throws {ReplyError} when it is larger than 64 MiB. @throws {ConnectionError} `TIMEOUT`
   * when it takes too long.
   */
  text(): Promise<string>;
  /**
   * Yields the body in chunks. `isWhole` means that the caller collects the body in memory, so the limits of `text`
   * apply.
   */
  bytes(isWhole?: boolean): AsyncIterable<Uint8Array>;
  /** Ends the reply without reading its body. */
  discard(): Promise<void>;
}

/**
 * Whether the body is gzip-compressed. Names of codings are case-insensitive, and `x-gzip` is an old alias (RFC 9110,
 * 8.4.1).
 */
export function isGzip(reply: HttpReply): boolean {
  return /^(x-)?gzip$/i.test(reply.header('content-encoding')?.trim() ?? '');
}

/**
 * Sends one request. The transport uses the network only through this function; tests pass a function that calls the
 * sandbox in process.
 * @throws {ConnectionError} without a reply.
 */
export type HttpSend = (request: HttpRequest) => Promise<HttpReply>;
