/** A body too large to be held: its bytes are read as they go out, anew for each attempt. */
export interface StreamBody {
  /** Bytes in all. */
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
  /** What is in it, for dry runs and journals. */
  readonly summary: unknown;
  /** As it goes out, with the size in place of what cannot be read. */
  readonly shown?: string;
}

/** Tells a streamed body from one of text or bytes. */
export function isStreamBody(body: unknown): body is StreamBody {
  return typeof body === 'object' && body !== null && 'open' in body && typeof body.open === 'function';
}

/** One HTTP request, ready to go out. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** In place of `body`. */
  readonly stream?: StreamBody | undefined;
  /** Aborts the request, also while its reply is being read. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Uses a connection of its own, closed afterwards. For requests that must not be sent twice: a kept-alive connection that the
   * other side just closed makes their outcome unknown for no reason.
   */
  readonly freshConnection?: boolean;
  /**
   * Longest wait for the reply's headers, and between two pieces of its body; 0 for none. Ten times as long bounds interim replies (1xx), and a body
   * that is read whole.
   */
  readonly timeoutMilliseconds: number;
}

/** A reply whose body has not been read yet. Exactly one of the body methods must be called. */
export interface HttpReply {
  readonly status: number;
  /** A header's value by lower-case name; repeated ones are joined by a comma. */
  header(name: string): string | undefined;
  /** Every header, by lower-case name; absent where the network of a test does not know them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole body. @throws {ReplyError} when it is larger than 64 MiB. @throws {ConnectionError} `TIMEOUT` when it takes too long. */
  text(): Promise<string>;
  /** The body as it comes. `isWhole`: it is collected in memory, so that the bounds of `text` hold. */
  bytes(isWhole?: boolean): AsyncIterable<Uint8Array>;
  /** Ends the reply without its body. */
  discard(): Promise<void>;
}

/** Whether the body is packed; names of codings have no case, and one of them an elder name (RFC 9110, 8.4.1). */
export function isGzip(reply: HttpReply): boolean {
  return /^(x-)?gzip$/i.test(reply.header('content-encoding')?.trim() ?? '');
}

/**
 * Sends one request. The only thing that the transport knows of the network; tests pass one that calls the sandbox in process.
 * @throws {ConnectionError} when there is no reply.
 */
export type HttpSend = (request: HttpRequest) => Promise<HttpReply>;
