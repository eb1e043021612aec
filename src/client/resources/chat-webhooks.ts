import type { ChatWebhook } from '../../contract/chat.ts';
import type { List } from '../../contract/common.ts';
import { path } from '../path.ts';
import type { Call, RequestOptions } from '../call.ts';
import { recordsOf } from '../paging.ts';
import { chatWebhookShape } from '../shapes/event.ts';
import { withId } from '../shapes/same-id.ts';
import { listOf, nothing, nothingOr } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

const root = '/restapi/v1.0/chat';
const webhooks = listOf(chatWebhookShape);

/** Addresses that turn an HTTP post into a post of a chat group or team: docs/spec/chat.md. */
export class ChatWebhooks {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * POST /chat/groups/{groupId}/webhooks
   * @throws {OutcomeUnknownError} when no answer came: look for it among those of the group.
   */
  create(groupId: string, options?: RequestOptions): Promise<ChatWebhook> {
    return this.#transport.send(
      { method: 'POST', path: root + path`/groups/${groupId}/webhooks`, once: true, reply: chatWebhookShape },
      options,
    );
  }

  /** GET /chat/webhooks, or those of one group: not paged. */
  list(groupId?: string, options?: RequestOptions): Promise<readonly ChatWebhook[]> {
    const place = groupId === undefined ? '/webhooks' : path`/groups/${groupId}/webhooks`;
    return this.#records({ method: 'GET', path: root + place, reply: webhooks }, options);
  }

  /** GET /chat/webhooks/{id}: a list of one. */
  async get(id: string, options?: RequestOptions): Promise<ChatWebhook | undefined> {
    const call: Call = { method: 'GET', path: root + path`/webhooks/${id}`, reply: webhooks };
    return (await this.#records(call, options))[0];
  }

  /** DELETE /chat/webhooks/{id}: for good. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#transport.send(
      { method: 'DELETE', path: root + path`/webhooks/${id}`, reply: nothing },
      options,
    );
  }

  /** POST /chat/webhooks/{id}/activate, or /suspend. Doing it twice is doing it once. */
  async set(id: string, status: 'activate' | 'suspend', options?: RequestOptions): Promise<void> {
    await this.#transport.send(
      {
        method: 'POST',
        path: `${root}${path`/webhooks/${id}`}/${status}`,
        resend: 'always',
        reply: nothingOr(withId(chatWebhookShape, id)),
      },
      options,
    );
  }

  async #records(call: Call, options?: RequestOptions): Promise<readonly ChatWebhook[]> {
    return recordsOf(await this.#transport.send<List<ChatWebhook>>(call, options), call);
  }
}
