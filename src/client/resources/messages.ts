import type { Id } from '../../contract/common.ts';
import type { Message, MessageFilter, SmsRequest } from '../../contract/message.ts';
import type { PagerRequest } from '../../contract/pager.ts';
import type { BatchRequest } from '../batch.ts';
import type { Call, QueryValue, RequestOptions } from '../call.ts';
import { ApiError } from '../../errors/service.ts';
import type { HttpReply } from '../http.ts';
import { pages, type PageOptions } from '../paging.ts';
import { idGroups } from '../id-groups.ts';
import { path } from '../path.ts';
import { messageShape } from '../shapes/message.ts';
import { oneMessage } from '../shapes/one-message.ts';
import { listOf, nothing } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

const store = storeOf('~');
const messages = listOf(messageShape);

/** What became of one of many messages. */
export interface MessageOutcome {
  readonly id: string;
  /** As HTTP has it: 200, 204, or why not. Undefined where no answer names the message: what became of it is unknown. */
  readonly status: number | undefined;
  /** The message as it is now, where the reply has it. */
  readonly message: Message | undefined;
  /** The service's words for a rejection. */
  readonly reason: string | undefined;
}

/** Messages and the mailbox that contains them: docs/spec/messages.md. */
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
      {
        method: 'POST',
        path: '/restapi/v1.0/account/~/extension/~/sms',
        body: sms,
        once: true,
        reply: messageShape,
      },
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
        reply: messages,
      },
      options,
    );
  }

  /**
   * POST /account/~/extension/~/company-pager: to extensions and departments, or a reply to a page.
   * @throws {OutcomeUnknownError} when no answer came: never send again without looking.
   */
  sendPager(page: PagerRequest, options?: RequestOptions): Promise<Message> {
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

  /** GET /account/~/extension/{id}/message-store/{messageId}: what is not Alive only where `availability` names it. */
  get(
    messageId: Id,
    extensionId: Id = '~',
    options?: RequestOptions & { readonly availability?: readonly string[] | undefined },
  ): Promise<Message> {
    return this.#transport.send(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/message-store/${messageId}`,
        query: { availability: options?.availability },
        reply: messageShape,
      },
      options,
    );
  }

  /** As `get`, for many: 50 a request, in the order given; of another's mailbox with `extensionId`. */
  getMany(
    ids: readonly Id[],
    availability?: readonly string[],
    options?: RequestOptions & { readonly extensionId?: Id | undefined },
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    const collection = storeOf(options?.extensionId ?? '~');
    return this.#each(
      { method: 'GET', shape: messageShape, collection, query: { availability } },
      ids,
      options,
    );
  }

  /** PUT /account/~/extension/~/message-store/{ids}: marks as read or unread. */
  update(
    ids: readonly Id[],
    change: { readonly readStatus: 'Read' | 'Unread' },
    options?: RequestOptions,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    return this.#each({ method: 'PUT', shape: messageShape, collection: store, change }, ids, options);
  }

  /** PATCH /account/~/extension/~/message-store/{ids}: restores deleted messages (MESSAGE-47). */
  patch(
    ids: readonly Id[],
    change: { readonly availability?: 'Alive'; readonly readStatus?: 'Read' | 'Unread' },
    options?: RequestOptions,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    return this.#each({ method: 'PATCH', shape: messageShape, collection: store, change }, ids, options);
  }

  /**
   * DELETE /account/~/extension/~/message-store/{ids}: the first one deletes, a second one purges. Never sent again by itself after a lost answer.
   */
  delete(
    ids: readonly Id[],
    how: { readonly purge?: boolean } = {},
    options?: RequestOptions,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    return this.#each(
      { method: 'DELETE', shape: messageShape, collection: store, query: { purge: how.purge } },
      ids,
      options,
    );
  }

  /**
   * DELETE /account/~/extension/~/message-store by filter; without any it would be the whole mailbox, so one is needed.
   * @throws {RangeError} for a filter that says nothing.
   */
  deleteWhere(
    filter: { readonly conversationId?: readonly string[]; readonly dateTo?: string; readonly type?: string },
    how: { readonly purge?: boolean } = {},
    options?: RequestOptions,
  ): Promise<void> {
    const says = [filter.conversationId?.join(''), filter.dateTo, filter.type === 'All' ? '' : filter.type];
    if (!says.some(Boolean)) throw new RangeError('a filter is needed: without one the whole mailbox goes');
    return this.#transport.send(
      { method: 'DELETE', path: store, query: { ...filter, purge: how.purge }, reply: nothing },
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
   * GET /account/~/extension/{id}/message-sync. Returns the reply unread, because it has no pages and may be larger than memory
   * (SYNC-13).
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

  /** Many ids in as few requests as they fit in. */
  async *#each(
    request: BatchRequest,
    ids: readonly Id[],
    options?: RequestOptions,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    for (const some of idGroups(ids, request.change !== undefined)) {
      const [only, second] = some;
      if (only !== undefined && second === undefined) yield await this.#one(request, only, options);
      else yield* this.#several(request, some, options);
    }
  }

  async #one(request: BatchRequest, id: string, options?: RequestOptions): Promise<MessageOutcome> {
    const { method, collection, query, change } = request;
    const call: Call = {
      method,
      path: collection + path`/${id}`,
      query,
      reply: oneMessage(method, id),
      ...(change && { body: change }),
    };
    try {
      const reply = await this.#transport.send<Message | readonly unknown[] | undefined>(call, options);
      if (!isList(reply)) return { id, status: reply ? 200 : 204, message: reply, reason: undefined };
      const { outcomeIn } = await import('../batch.ts');
      const { status, record, reason } = outcomeIn<Message>(reply, id, request.shape);
      return { id, status, message: record, reason };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      return { id, status: 404, message: undefined, reason: error.message };
    }
  }

  async *#several(
    request: BatchRequest,
    ids: readonly string[],
    options?: RequestOptions,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    const { sendBatch } = await import('../batch.ts');
    const outcomes = await sendBatch<Message>(this.#transport, request, ids, options);
    for (const { id, status, record, reason } of outcomes) yield { id, status, message: record, reason };
  }
}

function isList(reply: Message | readonly unknown[] | undefined): reply is readonly unknown[] {
  return Array.isArray(reply);
}

/** The message replied to is an integer on the wire, with all of its digits. */
function onWire({ replyOn, ...page }: PagerRequest): object {
  if (replyOn === undefined) return page;
  const id = Number(replyOn);
  return { ...page, replyOn: Number.isSafeInteger(id) ? id : BigInt(replyOn) };
}

function storeOf(extensionId: Id): string {
  return path`/restapi/v1.0/account/~/extension/${extensionId}/message-store`;
}
