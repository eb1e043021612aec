import type { Id } from '../../contract/common.ts';
import type { Dialect } from '../../contract/dialects.ts';
import type { Message, MessageFilter, SmsRequest } from '../../contract/message.ts';
import type { SyncReply } from '../../contract/message-store.ts';
import type { PagerRequest } from '../../contract/pager.ts';
import type { BatchRequest } from '../batch.ts';
import type { Call, QueryValue, RequestOptions } from '../call.ts';
import { smsPath } from '../../platform/sending-paths.ts';
import type { HttpReply } from '../http.ts';
import { pages, type PageOptions } from '../paging.ts';
import type { FaxDocument } from '../multipart.ts';
import { path } from '../path.ts';
import { messageShape, messageSyncShape } from '../shapes/message.ts';
import { withId } from '../shapes/same-id.ts';
import { listOf, nothing } from '../shapes/shape.ts';
import { requireNoPage } from '../reply-value.ts';
import type { Transport } from '../transport.ts';
import { everyOutcome, outcomesOf, type MessageOutcome } from './message-outcomes.ts';

const store = storeOf('~');
const messages = listOf(messageShape);

/** A change of messages, which may be deleted. */
export interface MessagePatch {
  readonly availability?: 'Alive';
  readonly readStatus?: 'Read' | 'Unread';
}

/** Messages and the mailbox that contains them: docs/spec/messages.md. */
export class Messages {
  readonly #transport: Transport;
  readonly #dialect: Pick<Dialect, 'syncOwner' | 'hasAvailabilityById'>;
  constructor(transport: Transport, dialect: Pick<Dialect, 'syncOwner' | 'hasAvailabilityById'>) {
    this.#transport = transport;
    this.#dialect = dialect;
  }

  /**
   * POST /account/~/extension/~/sms: sends a text to one number or, in dialect `current`, to up to 10 numbers as a
   * group.
   * @throws {OutcomeUnknownError} without a reply: check whether the text was sent before trying again.
   */
  async sendSms(sms: SmsRequest, options?: RequestOptions): Promise<Message> {
    return this.#transport.send(
      {
        method: 'POST',
        path: smsPath,
        body: sms,
        once: true,
        reply: messageShape,
      },
      options,
    );
  }

  /**
   * POST /account/~/extension/~/mms: sends a text with files, whose bytes are read during the request.
   * @throws {OutcomeUnknownError} without a reply: check whether the text was sent before trying again.
   */
  async sendMms(sms: SmsRequest, files: readonly FaxDocument[], options?: RequestOptions): Promise<Message> {
    const { multipartBody } = await import('../multipart.ts');
    const { contentType, body } = multipartBody(sms, files);
    return this.#transport.send(
      {
        method: 'POST',
        path: '/restapi/v1.0/account/~/extension/~/mms',
        body,
        contentType,
        once: true,
        reply: messageShape,
      },
      options,
    );
  }

  /**
   * GET /account/~/extension/{id}/message-store, newest first, all pages. Messages that are deleted between two pages hide
   * no others, if the replies have totals (`deletions.ts`).
   */
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
        reply: messages,
      },
      options,
      { repeatsAfterDeletion: true },
    );
  }

  /**
   * POST /account/~/extension/~/company-pager: sends a pager message to extensions and departments, or a reply to a
   * pager message.
   * @throws {OutcomeUnknownError} without a reply: check whether the message was sent before trying again.
   */
  async sendPager(page: PagerRequest, options?: RequestOptions): Promise<Message> {
    return this.#transport.send(
      {
        method: 'POST',
        path: '/restapi/v1.0/account/~/extension/~/company-pager',
        body: onWire(page),
        once: true,
        reply: messageShape,
      },
      options,
    );
  }

  /**
   * GET /account/~/extension/{id}/message-store/{messageId}. In dialect `spec`, finds a deleted message only if
   * `availability` includes deleted messages. Dialect `current` has no such parameter (CURRENT-18).
   */
  async get(
    messageId: Id,
    extensionId: Id = '~',
    options?: RequestOptions & { readonly availability?: readonly string[] | undefined },
  ): Promise<Message> {
    return this.#transport.send(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/message-store/${messageId}`,
        query: this.#byId(options?.availability),
        reply: withId(messageShape, String(messageId)),
      },
      options,
    );
  }

  /** Like `get` for several messages, in order, 50 per request; `extensionId` selects another mailbox. */
  getMany(
    ids: readonly Id[],
    availability?: readonly string[],
    options?: RequestOptions & { readonly extensionId?: Id | undefined },
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    const collection = storeOf(options?.extensionId ?? '~');
    return outcomesOf(
      this.#transport,
      { method: 'GET', shape: messageShape, collection, query: this.#byId(availability) },
      ids,
      options,
    );
  }

  /**
   * PUT /account/~/extension/~/message-store/{ids}: marks as read or unread. If one of several requests fails, the
   * promise rejects; `updateEach` yields the outcomes of the earlier requests first.
   */
  async update(
    ids: readonly Id[],
    change: { readonly readStatus: 'Read' | 'Unread' },
    options?: RequestOptions,
  ): Promise<readonly MessageOutcome[]> {
    return everyOutcome(this.updateEach(ids, change, options));
  }

  /** Like `update`, but sends each request when its first outcome is read. */
  updateEach(
    ids: readonly Id[],
    change: { readonly readStatus: 'Read' | 'Unread' },
    options?: RequestOptions,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    return outcomesOf(
      this.#transport,
      { method: 'PUT', shape: messageShape, collection: store, change },
      ids,
      options,
    );
  }

  /**
   * PATCH /account/~/extension/~/message-store/{ids}: restores deleted messages (MESSAGE-47). The request is retried
   * without a reply, because restoring a message that is not deleted changes nothing. `faxTo` names the recipients of a
   * canceled fax, which the service sends when it is restored. Such a request must contain only this message, and is not
   * retried without a reply.
   */
  async patch(
    ids: readonly Id[],
    change: MessagePatch,
    options?: RequestOptions & Pick<Call, 'faxTo'>,
  ): Promise<readonly MessageOutcome[]> {
    return everyOutcome(this.patchEach(ids, change, options));
  }

  /** Like `patch`, but sends each request when its first outcome is read. */
  patchEach(
    ids: readonly Id[],
    change: MessagePatch,
    options?: RequestOptions & Pick<Call, 'faxTo'>,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    return outcomesOf(
      this.#transport,
      {
        method: 'PATCH',
        shape: messageShape,
        collection: store,
        change,
        resend: 'always',
        faxTo: options?.faxTo,
      },
      ids,
      options,
    );
  }

  /**
   * DELETE /account/~/extension/~/message-store/{ids}: deletes messages; a second DELETE purges them, so the request is
   * not retried without a reply.
   */
  async delete(
    ids: readonly Id[],
    how: { readonly purge?: boolean } = {},
    options?: RequestOptions,
  ): Promise<readonly MessageOutcome[]> {
    return everyOutcome(this.deleteEach(ids, how, options));
  }

  /** Like `delete`, but sends each request when its first outcome is read. */
  deleteEach(
    ids: readonly Id[],
    how: { readonly purge?: boolean } = {},
    options?: RequestOptions,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    return outcomesOf(
      this.#transport,
      { method: 'DELETE', shape: messageShape, collection: store, query: { purge: how.purge } },
      ids,
      options,
    );
  }

  /**
   * DELETE /account/~/extension/~/message-store by filter. A filter is required: without it the service would delete
   * the whole mailbox. A repeated request could purge the messages.
   * @throws {RangeError} for an empty filter. @throws {OutcomeUnknownError} without a reply.
   */
  async deleteWhere(
    filter: { readonly conversationId?: readonly string[]; readonly dateTo?: string; readonly type?: string },
    how: { readonly purge?: boolean } = {},
    options?: RequestOptions,
  ): Promise<void> {
    const conditions = [
      filter.conversationId?.join(''),
      filter.dateTo,
      filter.type === 'All' ? '' : filter.type,
    ];
    if (!conditions.some(Boolean))
      throw new RangeError('the filter is empty and would delete the whole mailbox');
    const query = { ...filter, purge: how.purge };
    return this.#transport.send(
      { method: 'DELETE', path: store, query, resend: 'unsent', reply: nothing },
      options,
    );
  }

  /** Like `get`, but returns the reply unread. */
  async open(messageId: Id, extensionId: Id = '~', options?: RequestOptions): Promise<HttpReply> {
    return this.#transport.open(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/message-store/${messageId}`,
      },
      options,
    );
  }

  /**
   * GET /account/~/extension/{id}/message-sync, in dialect `current` also for shared messages of queues. The reply has
   * no pages (SYNC-13), so `query` must limit its size.
   */
  async sync(
    query: Readonly<Record<string, QueryValue>>,
    extensionId: Id = '~',
    options?: RequestOptions,
  ): Promise<SyncReply> {
    return this.#transport.send({ ...this.#syncCall(query, extensionId), reply: messageSyncShape }, options);
  }

  /** Like `sync`, but returns the reply unread, because it may be larger than memory. */
  async openSync(
    query: Readonly<Record<string, QueryValue>>,
    extensionId: Id = '~',
    options?: RequestOptions,
  ): Promise<HttpReply> {
    const call = this.#syncCall(query, extensionId);
    return requireNoPage(await this.#transport.open(call, options), call);
  }

  #byId(availability: readonly string[] | undefined): BatchRequest['query'] {
    return this.#dialect.hasAvailabilityById ? { availability } : {};
  }

  #syncCall(query: Readonly<Record<string, QueryValue>>, extensionId: Id): Call {
    const { syncOwner } = this.#dialect;
    return {
      method: 'GET',
      path: path`/restapi/v1.0/account/~/extension/${extensionId}/message-sync`,
      query: { ...query, owner: syncOwner, voicemailOwner: syncOwner },
    };
  }
}

/** Returns the request body, in which `replyOn` is an integer with all its digits. */
function onWire({ replyOn, ...page }: PagerRequest): object {
  if (replyOn === undefined) return page;
  const id = Number(replyOn);
  return { ...page, replyOn: Number.isSafeInteger(id) ? id : BigInt(replyOn) };
}

function storeOf(extensionId: Id): string {
  return path`/restapi/v1.0/account/~/extension/${extensionId}/message-store`;
}
