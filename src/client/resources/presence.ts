import type { Id } from '../../contract/common.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import { isMissingResource, isRejectedByService } from '../../errors/service-codes.ts';
import { idGroups } from '../id-groups.ts';
import { pages, type PageOptions } from '../paging.ts';
import { path } from '../path.ts';
import type { RequestOptions } from '../call.ts';
import { presenceShape } from '../shapes/account.ts';
import { presenceOf } from '../shapes/same-id.ts';
import { pageOf } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

export interface PresenceDetail {
  /** Whether the reply includes `activeCalls`. */
  readonly detailedTelephonyState?: boolean;
  /** Whether the active calls in the reply include `sipData`. */
  readonly sipData?: boolean;
}

/** The result for one of several extensions. */
export interface PresenceOutcome {
  readonly id: string;
  /** HTTP status: 200 or an error. Undefined if the reply does not name the extension. */
  readonly status: number | undefined;
  readonly presence: Presence | undefined;
  /** The service's message for a rejection. */
  readonly reason: string | undefined;
}

/** Presence of extensions; `~` is the extension of the signed-in user: docs/spec/presence.md. */
export class PresenceResource {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** GET /account/~/extension/{id}/presence */
  async get(extensionId: Id, detail: PresenceDetail = {}, options?: RequestOptions): Promise<Presence> {
    return this.#transport.send(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/presence`,
        query: { ...detail },
        reply: presenceOf(String(extensionId)),
      },
      options,
    );
  }

  /**
   * GET /account/~/extension/{ids}/presence: the presence of several extensions by ID (not `~`), in order, 50 per
   * request.
   * @throws {ReplyError} for an unreadable reply.
   */
  async *getMany(
    extensionIds: readonly Id[],
    detail: PresenceDetail = {},
    options?: RequestOptions,
  ): AsyncGenerator<PresenceOutcome, void, undefined> {
    const collection = '/restapi/v1.0/account/~/extension';
    const request = {
      method: 'GET',
      collection,
      suffix: '/presence',
      namedBy: 'extension',
      query: { ...detail },
      shape: presenceShape,
    } as const;
    for (const ids of idGroups(extensionIds, false)) {
      const [only, second] = ids;
      if (only !== undefined && second === undefined) {
        yield await this.#getOne(only, detail, options);
        continue;
      }
      const { sendBatch } = await import('../batch.ts');
      const outcomes = await sendBatch<Presence>(this.#transport, request, ids, options);
      for (const { id, status, record, reason } of outcomes) yield { id, status, presence: record, reason };
    }
  }

  async #getOne(id: string, detail: PresenceDetail, options?: RequestOptions): Promise<PresenceOutcome> {
    try {
      return { id, status: 200, presence: await this.get(id, detail, options), reason: undefined };
    } catch (error) {
      if (!isMissingResource(error) && !isRejectedByService(error, 403)) throw error;
      return { id, status: error.status, presence: undefined, reason: error.message };
    }
  }

  /**
   * GET /account/~/presence: the presence of all extensions of the account, all pages (OPERATION-12), in dialect
   * `current` only.
   */
  list(detail: PresenceDetail = {}, options?: PageOptions): AsyncGenerator<Presence, void, undefined> {
    return pages(
      this.#transport,
      {
        method: 'GET',
        path: '/restapi/v1.0/account/~/presence',
        query: { ...detail },
        reply: pageOf(presenceShape),
      },
      options,
    );
  }

  /** PUT /account/~/extension/{id}/presence: changes only the given fields. */
  async update(extensionId: Id, changes: PresenceUpdate, options?: RequestOptions): Promise<Presence> {
    return this.#transport.send(
      {
        method: 'PUT',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/presence`,
        body: changes,
        reply: presenceOf(String(extensionId)),
      },
      options,
    );
  }
}
