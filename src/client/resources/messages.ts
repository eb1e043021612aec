import type { Id } from '../../contract/common.ts';
import type { Message, MessageFilter, SmsRequest } from '../../contract/message.ts';
import type { HttpReply } from '../http.ts';
import { pages, type PageOptions } from '../paging.ts';
import { path } from '../path.ts';
import type { QueryValue, RequestOptions, Transport } from '../transport.ts';

/** Messages and the mailbox they live in (specification, Messaging). */
export class Messages {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * POST /account/~/extension/~/sms: one number to one number.
   * @throws {OutcomeUnknownError} when no answer came: never send again without looking.
   */
  sendSms(sms: SmsRequest, options?: RequestOptions): Promise<Message> {
    return this.#transport.send(
      { method: 'POST', path: '/restapi/v1.0/account/~/extension/~/sms', body: sms, once: true },
      options,
    );
  }

  /** GET /account/~/extension/{id}/message-store, newest first, all pages. */
  list(
    extensionId: Id = '~',
    filter: MessageFilter = {},
    options?: PageOptions,
  ): AsyncGenerator<Message, void, undefined> {
    return pages(
      this.#transport,
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/message-store`,
        query: { ...filter },
      },
      options,
    );
  }

  /** GET /account/~/extension/{id}/message-store/{messageId} */
  get(messageId: Id, extensionId: Id = '~', options?: RequestOptions): Promise<Message> {
    return this.#transport.send(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/message-store/${messageId}`,
      },
      options,
    );
  }

  /** As `get`, unread: the text as the service wrote it. */
  open(messageId: Id, extensionId: Id = '~', options?: RequestOptions): Promise<HttpReply> {
    return this.#transport.open(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/message-store/${messageId}`,
      },
      options,
    );
  }

  /**
   * GET /account/~/extension/{id}/message-sync: the reply unread, because it is not paged and may be larger than memory (specification, Message
   * sync).
   */
  openSync(
    query: Readonly<Record<string, QueryValue>>,
    extensionId: Id = '~',
    options?: RequestOptions,
  ): Promise<HttpReply> {
    return this.#transport.open(
      { method: 'GET', path: path`/restapi/v1.0/account/~/extension/${extensionId}/message-sync`, query },
      options,
    );
  }
}
