import type { FaxEnvelope, FaxResend } from '../../contract/fax.ts';
import type { Message } from '../../contract/message.ts';
import type { FaxDocument } from '../multipart.ts';
import type { RequestOptions } from '../call.ts';
import { messageShape } from '../shapes/message.ts';
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
   * POST .../fax: the envelope and the documents, read from where they are while they go out.
   * @throws {OutcomeUnknownError} when no answer came: never send again without looking.
   */
  async send(
    envelope: FaxEnvelope,
    documents: readonly FaxDocument[],
    options?: RequestOptions,
  ): Promise<Message> {
    const { faxBody } = await import('../multipart.ts');
    const { contentType, body } = faxBody(envelope, documents);
    return this.#transport.send(
      { method: 'POST', path, body, contentType, once: true, reply: messageShape },
      options,
    );
  }

  /** POST .../fax with JSON: an earlier fax again, or to others. */
  resend(fax: FaxResend, options?: RequestOptions): Promise<Message> {
    return this.#transport.send(
      {
        method: 'POST',
        path,
        body: { ...fax, originalMessageId: String(fax.originalMessageId) },
        once: true,
        reply: messageShape,
      },
      options,
    );
  }
}
