import type { Recording } from '../../contract/call-log.ts';
import type { Id } from '../../contract/common.ts';
import { path } from '../path.ts';
import type { RequestOptions } from '../call.ts';
import { recordingShape } from '../shapes/call.ts';
import { withId } from '../shapes/same-id.ts';
import type { Transport } from '../transport.ts';

/** Call recordings (MEDIA-5). */
export class Recordings {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** GET /account/~/recording/{id}: the metadata of a recording; `contentUri` is the URL of the audio. */
  async get(recordingId: Id, options?: RequestOptions): Promise<Recording> {
    return this.#transport.send(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/recording/${recordingId}`,
        reply: withId(recordingShape, String(recordingId)),
      },
      options,
    );
  }
}
