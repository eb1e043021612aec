import { integer, nullable, optional, recordOrList, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** A notification with the state of its delivery. */
export const deliveryRows = rows(
  { empty: 'No deliveries.' },
  {
    id: { schema: integer, title: 'ID', kind: 'id', priority: 7 },
    state: { schema: optional(text), title: 'STATE', priority: 6 },
    transport: { schema: optional(text), title: 'TRANSPORT', priority: 2 },
    status: { schema: optional(nullable(integer)), title: 'STATUS', priority: 5 },
    attempts: { schema: optional(integer), title: 'ATTEMPTS', kind: 'number', priority: 3 },
    subscriptionId: { schema: optional(text), title: 'SUBSCRIPTION ID', kind: 'id', priority: 2 },
    uuid: { schema: optional(text), title: 'UUID', kind: 'id', priority: 1 },
    error: { schema: optional(nullable(text)), title: 'ERROR', priority: 4, folds: 3 },
  },
);

/** A notification that is resent. */
export const replayRows = rows(
  {},
  { replayed: { schema: integer, title: 'REPLAYED' }, uuid: { schema: text, title: 'UUID' } },
);

export const deliveryOutput = recordOrList(replayRows, deliveryRows);
