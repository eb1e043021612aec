import { Readable } from 'node:stream';
import type { HttpRequest, StreamBody } from './http.ts';

/**
 * How far one attempt has sent its request.
 * @internal
 */
export class Sending {
  readonly #request: HttpRequest;
  #hasBegun = false;
  /**
   * The error that ended a streamed body before its announced size. The server then received only a part of the request,
   * which it does not process (RFC 9112, 8).
   */
  #unread: { readonly error: unknown } | undefined;

  constructor(request: HttpRequest) {
    this.#request = request;
  }

  /** Called when a connection begins to send the request. */
  readonly begin = (): void => {
    this.#hasBegun = true;
  };

  body(): Readable | string | Uint8Array | null {
    const { stream, body } = this.#request;
    return stream ? Readable.from(this.#pieces(stream)) : (body ?? null);
  }

  async *#pieces(stream: StreamBody): AsyncGenerator<Uint8Array> {
    let sent = 0;
    try {
      for await (const piece of stream.open()) {
        sent += piece.length;
        yield piece;
      }
    } catch (error) {
      if (sent < stream.size) this.#unread = { error };
      throw error;
    }
  }

  /**
   * Returns the error of an attempt without a reply: that of its body, or of its connection. Reports a request that was
   * certainly not processed with `onUnsent`.
   */
  failure(error: unknown, ofConnection: (error: unknown, request: HttpRequest) => unknown): unknown {
    const { signal, onUnsent } = this.#request;
    const unread = this.#unread;
    if (unread || (!this.#hasBegun && signal?.aborted)) onUnsent?.();
    return unread ? unread.error : ofConnection(error, this.#request);
  }
}
