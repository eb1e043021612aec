import type { BusinessHours, BusinessHoursUpdate } from '../../contract/business-hours.ts';
import type { Id } from '../../contract/common.ts';
import type { RequestOptions } from '../call.ts';
import { path } from '../path.ts';
import { businessHoursShape } from '../shapes/hours.ts';
import type { Transport } from '../transport.ts';

/** The owner of business hours. */
export type HoursOwner = 'company' | { readonly extensionId: Id };

/** Business hours of the company and of extensions: docs/spec/hours.md. Only dialect `current` has them. */
export class BusinessHoursResource {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** GET {owner}/business-hours */
  async get(owner: HoursOwner, options?: RequestOptions): Promise<BusinessHours> {
    return this.#transport.send({ method: 'GET', path: pathOf(owner), reply: businessHoursShape }, options);
  }

  /** PUT {owner}/business-hours: replaces the whole schedule. */
  async update(
    owner: HoursOwner,
    body: BusinessHoursUpdate,
    options?: RequestOptions,
  ): Promise<BusinessHours> {
    const call = { method: 'PUT', path: pathOf(owner), body, reply: businessHoursShape } as const;
    return this.#transport.send(call, options);
  }
}

function pathOf(owner: HoursOwner): string {
  if (owner === 'company') return '/restapi/v1.0/account/~/business-hours';
  return path`/restapi/v1.0/account/~/extension/${owner.extensionId}/business-hours`;
}
