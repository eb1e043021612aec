import type { AuditRecord } from '../../contract/audit.ts';
import { given, key, list, object, optional, record, text, time } from './shape.ts';

/** A change in the audit trail. */
export const auditShape = record<AuditRecord>(
  {
    id: key,
    eventTime: time,
    initiator: optional(
      object<NonNullable<AuditRecord['initiator']>>({
        extensionId: text,
        extensionNumber: text,
        name: text,
        role: text,
      }),
    ),
    actionId: text,
    eventType: text,
    accountId: text,
    accountName: text,
    target: optional(
      object<NonNullable<AuditRecord['target']>>({
        objectId: text,
        objectType: text,
        name: text,
        extensionNumber: text,
        siteId: text,
      }),
    ),
    clientIp: text,
    comment: text,
    details: optional(
      object<NonNullable<AuditRecord['details']>>({
        parameters: optional(list(object<{ key: string; value: string }>({ key: given, value: given }))),
      }),
    ),
  },
  ['id'],
);
