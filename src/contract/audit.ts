import { z } from 'zod';
import { openEnum, PageSize, Timestamp } from './common.ts';

/** Types of the target of a change (AUDIT-5). */
const auditTargetTypes = ['Extension', 'Account', 'Company', 'Template'] as const;

/** A change of the account's configuration in the audit trail (AUDIT-4, AUDIT-5). */
export const AuditRecord = z.strictObject({
  id: z.string(),
  eventTime: Timestamp.optional(),
  initiator: z
    .strictObject({
      extensionId: z.string().optional(),
      extensionNumber: z.string().optional(),
      name: z.string().optional(),
      role: z.string().optional(),
    })
    .optional(),
  actionId: z.string().optional(),
  eventType: z.string().optional(),
  accountId: z.string().optional(),
  accountName: z.string().optional(),
  target: z
    .strictObject({
      objectId: z.string().optional(),
      objectType: openEnum(auditTargetTypes).optional(),
      name: z.string().optional(),
      extensionNumber: z.string().optional(),
      siteId: z.string().optional(),
    })
    .optional(),
  clientIp: z.string().optional(),
  comment: z.string().optional(),
  details: z
    .strictObject({ parameters: z.array(z.strictObject({ key: z.string(), value: z.string() })).optional() })
    .optional(),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** A search in the audit trail. Page and page size are in the body (AUDIT-2). */
export const AuditSearch = z.object({
  eventTimeFrom: Timestamp.optional(),
  eventTimeTo: Timestamp.optional(),
  initiatorIds: z.array(z.string()).readonly().optional(),
  targetIds: z.array(z.string()).readonly().optional(),
  siteId: z.string().optional(),
  actionIds: z.array(z.string()).readonly().optional(),
  excludeActionIds: z.array(z.string()).readonly().optional(),
  searchString: z.string().optional(),
  page: z.int().min(1).optional(),
  perPage: PageSize.optional(),
});
/** Filters of a search in the audit trail. */
export type AuditFilter = Omit<z.infer<typeof AuditSearch>, 'page' | 'perPage'>;

/** A page of the audit trail. Its envelope has neither a URI nor links (AUDIT-6). */
export const AuditPage = z.strictObject({
  records: z.array(AuditRecord),
  paging: z.strictObject({
    page: z.int(),
    perPage: z.int(),
    total: z.int().optional(),
    totalFound: z.int().optional(),
  }),
});
