import type { ChatWebhook } from '../../contract/chat.ts';
import type { List } from '../../contract/common.ts';
import { path } from '../path.ts';
import type { Call, RequestOptions } from '../call.ts';
import type { Dialect } from '../dialect.ts';
import { recordsOf } from '../paging.ts';
import { chatWebhookShape } from '../shapes/event.ts';
import { withId, withStatus } from '../shapes/same-id.ts';
import { listOf, nothingOr, nothingOr200 } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

const webhooks = listOf(chatWebhookShape);

/** Chat webhooks, whose URLs accept posts to a chat group or team: docs/spec/chat.md. */
export class ChatWebhooks {
  readonly #transport: Transport;
  readonly #root: string;
  constructor(transport: Transport, dialect: Pick<Dialect, 'chatPath'>) {
    this.#transport = transport;
    this.#root = dialect.chatPath;
  }

  /**
   * POST /chat/groups/{groupId}/webhooks
   * @throws {OutcomeUnknownError} without a reply: check the webhooks of the group before you try again.
   */
  async create(groupId: string, options?: RequestOptions): Promise<ChatWebhook> {
    return this.#transport.send(
      {
        method: 'POST',
        path: this.#root + path`/groups/${groupId}/webhooks`,
        once: true,
        reply: chatWebhookShape,
      },
      options,
    );
  }

  /** GET /chat/webhooks, or GET /chat/groups/{groupId}/webhooks. */
  async list(groupId?: string, options?: RequestOptions): Promise<readonly ChatWebhook[]> {
    const place = groupId === undefined ? '/webhooks' : path`/groups/${groupId}/webhooks`;
    return this.#records({ method: 'GET', path: this.#root + place, reply: webhooks }, options);
  }

  /** GET /chat/webhooks/{id}, which returns a list with one record. */
  async get(id: string, options?: RequestOptions): Promise<ChatWebhook | undefined> {
    const call: Call = { method: 'GET', path: this.#root + path`/webhooks/${id}`, reply: webhooks };
    return (await this.#records(call, options))[0];
  }

  /** DELETE /chat/webhooks/{id} */
  async delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#transport.send(
      { method: 'DELETE', path: this.#root + path`/webhooks/${id}`, reply: nothingOr200 },
      options,
    );
  }

  /** POST /chat/webhooks/{id}/activate, or /suspend. Idempotent. */
  async set(id: string, status: 'activate' | 'suspend', options?: RequestOptions): Promise<void> {
    await this.#transport.send(
      {
        method: 'POST',
        path: `${this.#root}${path`/webhooks/${id}`}/${status}`,
        resend: 'always',
        reply: nothingOr(
          withStatus(withId(chatWebhookShape, id), status === 'activate' ? 'Active' : 'Suspended'),
        ),
      },
      options,
    );
  }

  async #records(call: Call, options?: RequestOptions): Promise<readonly ChatWebhook[]> {
    return recordsOf(await this.#transport.send<List<ChatWebhook>>(call, options), call);
  }
}
