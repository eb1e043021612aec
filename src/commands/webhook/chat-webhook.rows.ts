import { array, text, textOf, time } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

export const chatWebhookRows = rows(
  { empty: 'No chat webhooks.' },
  {
    id: { schema: text, title: 'ID', kind: 'id', priority: 5 },
    creatorId: { schema: text },
    groupIds: { schema: array(text), title: 'GROUP', priority: 3, cell: (row) => row.groupIds.join(' ') },
    creationTime: { schema: time, title: 'CREATED', kind: 'time', priority: 2 },
    lastModifiedTime: { schema: time },
    /** The address, masked unless --show-secrets is given. */
    uri: { schema: text, title: 'ADDRESS', priority: 1 },
    status: { schema: text, title: 'STATUS', kind: 'status', priority: 4 },
  },
);

/** Columns of chat webhooks, from the left; the status is the second column. */
export const chatWebhookView = chatWebhookRows.pick(
  ['id', 'status', 'groupIds', 'creationTime', 'uri'],
  'No chat webhooks.',
);

/** The result of activating, suspending or deleting a chat webhook. */
export type ChangedRow = RowOf<typeof changedRows>;

export const changedRows = rows(
  {},
  {
    id: { schema: text, title: 'ID', kind: 'id', priority: 2 },
    status: { schema: textOf<'deleted' | 'active' | 'suspended'>(), title: 'STATUS', kind: 'status' },
  },
);
