import { AuditPage, AuditSearch } from '../audit.ts';
import type { Operation } from './operation.ts';
import { account } from './paths.ts';

/** Changes of the configuration. */
export const audit = {
  searchAuditTrail: {
    method: 'POST',
    path: `${account}/audit-trail/search`,
    dialects: ['current'],
    section: 'Audit Trail',
    summary: 'Searches the changes of the configuration; administrators only',
    authorization: 'bearer',
    permission: 'ReadAuditTrail',
    group: 'Heavy',
    body: AuditSearch,
    bodyOptional: true,
    status: 200,
    reply: AuditPage,
  },
} as const satisfies Record<string, Operation>;
