import { id, list, moment, record, text, words } from '../shape.ts';

/** Change of the configuration: `id` identifies it. */
export const auditRecord = record(
  {
    id,
    eventTime: moment,
    initiator: record({ extensionId: id, extensionNumber: text, name: text, role: text }),
    actionId: text,
    eventType: text,
    accountId: id,
    accountName: text,
    target: record({
      objectId: id,
      objectType: words('Extension', 'Account', 'Company', 'Template'),
      name: text,
      extensionNumber: text,
      siteId: id,
    }),
    clientIp: text,
    comment: text,
    details: record({ parameters: list(record({ key: text, value: text })) }),
  },
  'id',
);
