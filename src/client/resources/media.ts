import type { RequestOptions } from '../call.ts';
import type { HttpReply } from '../http.ts';
import type { Transport } from '../transport.ts';

export interface MediaOptions extends RequestOptions {
  /** Byte range with both ends included. Without `last` it extends to the end of the file. */
  readonly range?: { readonly first: number; readonly last?: number | undefined } | undefined;
  /** ETag or date of the existing part. If the file has changed, the service sends the whole file. */
  readonly ifRange?: string | undefined;
}

/** Content at URLs that the service returns (MEDIA-4). */
export class Media {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Opens a URL that the service returned; the status of the reply is 200 or 206. Only the service and the media hosts
   * receive the token, even after a redirect.
   * @throws {UntrustedHostError} Another host requires a token.
   * @throws {RangeError} for plain http from another machine.
   * @throws {ApiError} 416 for a range beyond the end.
   */
  async open(uri: string, options: MediaOptions = {}): Promise<HttpReply> {
    const { range, ifRange, ...rest } = options;
    return this.#transport.openUri(
      uri,
      {
        ...(range && { range: `bytes=${range.first}-${range.last ?? ''}` }),
        ...(ifRange !== undefined && { 'if-range': ifRange }),
      },
      rest,
    );
  }
}
