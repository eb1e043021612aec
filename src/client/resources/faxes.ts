import type { FaxEnvelope, FaxResend } from '../../contract/fax.ts';
import type { Message } from '../../contract/message.ts';
import type { FaxDocument } from '../multipart.ts';
import type { RequestOptions } from '../call.ts';
import { sentFaxShape } from '../shapes/message.ts';
import type { Transport } from '../transport.ts';

export type { FaxDocument } from '../multipart.ts';

const path = '/restapi/v1.0/account/~/extension/~/fax';

/** Outbound faxes of the signed-in user: docs/spec/fax.md. */
export class Faxes {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * POST .../fax: sends documents, whose bytes are read during the request.
   * @throws {OutcomeUnknownError} without a reply: check whether the fax was sent before you try again.
   */
  async send(
    envelope: FaxEnvelope,
    documents: readonly FaxDocument[],
    options?: RequestOptions,
  ): Promise<Message> {
    const { multipartBody } = await import('../multipart.ts');
    const { contentType, body } = multipartBody(envelope, documents);
    return this.#transport.send(
      { method: 'POST', path, body, contentType, once: true, reply: sentFaxShape },
      options,
    );
  }

  /** POST .../fax with JSON: resends an earlier fax, or forwards it to other recipients. */
  async resend(fax: FaxResend, options?: RequestOptions): Promise<Message> {
    return this.#transport.send(
      {
        method: 'POST',
        path,
        body: { ...fax, originalMessageId: String(fax.originalMessageId) },
        once: true,
        reply: sentFaxShape,
      },
      options,
    );
  }
}
