import type { Id } from '../../contract/common.ts';
import { idsPerBody, idsPerPath } from '../../contract/limits.ts';
import type { Message, MessageFilter, SmsRequest } from '../../contract/message.ts';
import type { MultiStatusItem } from '../../contract/message-store.ts';
import type { PagerRequest } from '../../contract/pager.ts';
import type { Call, QueryValue, RequestOptions } from '../call.ts';
import { ApiError } from '../errors.ts';
import type { HttpReply } from '../http.ts';
import { pages, type PageOptions } from '../paging.ts';
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
  /** As HTTP has it: 200, 204, or why not. */
  readonly status: number;
  /** The message as it is now, where the reply has it. */
  readonly message: Message | undefined;
  /** The service's words for a refusal. */
  readonly reason: string | undefined;
}

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
    const base = storeOf(options?.extensionId ?? '~');
    return this.#each({ method: 'GET', query: { availability } }, ids, idsPerPath, options, base);
  }

  /** PUT /account/~/extension/~/message-store/{ids}: marks as read or unread. */
  update(
    ids: readonly Id[],
    change: { readonly readStatus: 'Read' | 'Unread' },
    options?: RequestOptions,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    return this.#each({ method: 'PUT', body: change }, ids, idsPerBody, options);
  }

  /** PATCH /account/~/extension/~/message-store/{ids}: brings deleted messages back (facts 1.1, L163). */
  patch(
    ids: readonly Id[],
    change: { readonly availability?: 'Alive'; readonly readStatus?: 'Read' | 'Unread' },
    options?: RequestOptions,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    return this.#each({ method: 'PATCH', body: change }, ids, idsPerBody, options);
  }

  /**
   * DELETE /account/~/extension/~/message-store/{ids}: the first one deletes, a second one purges. Never sent again by itself after a lost answer.
   */
  delete(
    ids: readonly Id[],
    how: { readonly purge?: boolean } = {},
    options?: RequestOptions,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    return this.#each({ method: 'DELETE', query: { purge: how.purge } }, ids, idsPerPath, options);
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

  /** Many ids in as few requests as they fit in: those of the path, or `*` with a body that names them (facts 1.1, L240). */
  async *#each(
    call: Pick<Call, 'method' | 'query'> & { readonly body?: object },
    ids: readonly Id[],
    atOnce: number,
    options?: RequestOptions,
    base = store,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    const unique = [...new Set(ids.map(String))];
    for (let at = 0; at < unique.length; at += atOnce) {
      const some = unique.slice(at, at + atOnce);
      const isInPath = some.length <= idsPerPath;
      const segment = isInPath ? some.map((id) => path`${id}`).join(',') : '*';
      const request: Call = {
        method: call.method,
        path: `${base}/${segment}`,
        query: call.query,
        ...(some.length === 1 && { reply: oneMessage(call.method, some[0] ?? '') }),
        ...(call.body && { body: isInPath ? call.body : { ...call.body, ids: some } }),
      };
      yield* this.#outcomes(some, request, options);
    }
  }

  async *#outcomes(
    ids: readonly string[],
    request: Call,
    options: RequestOptions | undefined,
  ): AsyncGenerator<MessageOutcome, void, undefined> {
    let reply: Message | readonly MultiStatusItem[] | undefined;
    try {
      reply = await this.#transport.send(request, options);
    } catch (error) {
      const [only, second] = ids;
      if (!(error instanceof ApiError) || error.status !== 404 || only === undefined || second !== undefined)
        throw error;
      yield { id: only, status: 404, message: undefined, reason: error.message };
      return;
    }
    if (reply === undefined) {
      for (const id of ids) yield { id, status: 204, message: undefined, reason: undefined };
      return;
    }
    if (!isMany(reply)) {
      yield { id: String(reply.id), status: 200, message: reply, reason: undefined };
      return;
    }
    const byId = new Map(reply.map((item) => [item.resourceId ?? item.href.split('/').at(-1) ?? '', item]));
    for (const id of ids) yield toOutcome(id, byId.get(id));
  }
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

function isMany(reply: Message | readonly MultiStatusItem[]): reply is readonly MultiStatusItem[] {
  return Array.isArray(reply);
}

/** An id that a reply for many leaves out was dealt with like the rest. */
function toOutcome(id: string, item: MultiStatusItem | undefined): MessageOutcome {
  if (!item) return { id, status: 204, message: undefined, reason: undefined };
  if (item.status < 300) return { id, status: item.status, message: item.body as Message, reason: undefined };
  return { id, status: item.status, message: undefined, reason: wordsOf(item) };
}

function wordsOf({ body, responseDescription }: MultiStatusItem): string | undefined {
  const isObject = typeof body === 'object' && body !== null;
  return isObject && 'message' in body && typeof body.message === 'string'
    ? body.message
    : responseDescription;
}
