import type { RequestOptions } from '../call.ts';
import type { HttpReply } from '../http.ts';
import type { Transport } from '../transport.ts';

export interface MediaOptions extends RequestOptions {
  /** Part of the file, both ends included; without `last` all that follows. */
  readonly range?: { readonly first: number; readonly last?: number | undefined } | undefined;
  /** ETag or date of the part that is there: another file is then sent whole. */
  readonly ifRange?: string | undefined;
}

/** Content at the addresses that the service returns; an address is never built here (MEDIA-4). */
export class Media {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * GET of a returned address: its status is 200 or 206. The token goes along only to the service and its media hosts, and not over a redirect.
   * @throws {UntrustedHostError} another host wants a token. @throws {ApiError} 416 for a range beyond the end.
   */
  open(uri: string, options: MediaOptions = {}): Promise<HttpReply> {
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
