import type { AuditFilter, AuditRecord } from '../../contract/audit.ts';
import { pages, type PageOptions } from '../paging.ts';
import { auditShape } from '../shapes/audit.ts';
import { pageOf } from '../shapes/shape.ts';
import type { Transport } from '../transport.ts';

/** Changes of the account's configuration: docs/spec/audit.md. Only dialect `current` has it. */
export class AuditTrail {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** POST /account/~/audit-trail/search, newest first, all pages. The service returns at most 10,000 records of the last 180 days. */
  search(filter: AuditFilter = {}, options?: PageOptions): AsyncGenerator<AuditRecord, void, undefined> {
    return pages(
      this.#transport,
      {
        method: 'POST',
        path: '/restapi/v1.0/account/~/audit-trail/search',
        body: filter,
        reply: pageOf(auditShape),
      },
      options,
    );
  }
}
