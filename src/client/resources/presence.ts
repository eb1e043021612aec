import type { Id } from '../../contract/common.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import { path } from '../path.ts';
import type { RequestOptions } from '../call.ts';
import { presenceShape } from '../shapes/account.ts';
import type { Transport } from '../transport.ts';

export interface PresenceDetail {
  /** Adds `activeCalls`. */
  readonly detailedTelephonyState?: boolean;
  /** Adds `sipData` to the active calls. */
  readonly sipData?: boolean;
}

/** Presence of extensions; `~` is the signed-in one (specification, Presence). */
export class PresenceResource {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** GET /account/~/extension/{id}/presence */
  get(extensionId: Id, detail: PresenceDetail = {}, options?: RequestOptions): Promise<Presence> {
    return this.#transport.send(
      {
        method: 'GET',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/presence`,
        query: { ...detail },
        reply: presenceShape,
      },
      options,
    );
  }

  /** PUT /account/~/extension/{id}/presence: only the given fields change. */
  update(extensionId: Id, changes: PresenceUpdate, options?: RequestOptions): Promise<Presence> {
    return this.#transport.send(
      {
        method: 'PUT',
        path: path`/restapi/v1.0/account/~/extension/${extensionId}/presence`,
        body: changes,
        reply: presenceShape,
      },
      options,
    );
  }
}
